import { writeIndexFile } from '../stored/index-file.ts';
import { answerListTask, buffersOf, type ListTask } from './list-task.ts';

declare const self: Worker;

/** Entry point of the thread that reads and indexes one list. */
self.onmessage = async ({ data }: MessageEvent<ListTask>) => {
  const answer = await answerListTask(data);
  // A folder that cannot be written to has no index file.
  if ('table' in answer && data.kind === 'version')
    await writeIndexFile(data.dataDir, data.version, answer.table).catch(() => {});
  self.postMessage(answer, buffersOf(answer));
};
