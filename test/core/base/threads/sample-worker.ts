declare const self: Worker;

/** Answers with what it was sent; never answers `hang`, and throws at `fail`. */
self.onmessage = ({ data }: MessageEvent<string>) => {
  if (data === 'fail') throw new Error('failed as asked');
  if (data !== 'hang') self.postMessage(data);
};
