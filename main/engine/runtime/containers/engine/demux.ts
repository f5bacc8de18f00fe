/** The output of a container, which comes through one connection, taken apart into its two streams. */
import { PassThrough, type Readable } from 'node:stream';

/** Before each piece: one byte that names the stream, three empty ones, and its length. */
const HEADER_BYTES = 8;
const STDERR = 2;

export interface OutputStreams {
  stdout: Readable;
  stderr: Readable;
}

/** Reads no faster than both streams are read. They end with the connection, however it ends. */
export function takeApart(connection: Readable): OutputStreams {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let header = Buffer.alloc(0);
  let leftBytes = 0;
  let target = stdout;

  connection.on('data', (data: Buffer) => {
    let rest = data;
    while (rest.length > 0) {
      if (leftBytes === 0) {
        const missing = HEADER_BYTES - header.length;
        header = Buffer.concat([header, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (header.length < HEADER_BYTES) return;
        target = header[0] === STDERR ? stderr : stdout;
        leftBytes = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        continue;
      }
      const part = rest.subarray(0, leftBytes);
      rest = rest.subarray(part.length);
      leftBytes -= part.length;
      if (target.write(part)) continue;
      connection.pause();
      target.once('drain', () => connection.resume());
    }
  });
  const end = (): void => {
    stdout.end();
    stderr.end();
  };
  connection.on('close', end);
  connection.on('end', end);
  connection.on('error', end);
  return { stdout, stderr };
}
