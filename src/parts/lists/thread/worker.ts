import { toOperationFault } from '#src/core/base/errors/operation-error.ts';
import { doListWork, type ListWorkAnswer, type ListWorkTask } from './work-on-lists.ts';

declare const self: Worker;

async function answer(task: ListWorkTask): Promise<ListWorkAnswer> {
  try {
    return { result: await doListWork(task) };
  } catch (error) {
    return { fault: toOperationFault(error) };
  }
}

/** Entry point of the thread that does one task with lists. */
self.onmessage = async ({ data }: MessageEvent<ListWorkTask>) => self.postMessage(await answer(data));
