/** Splits the output of a container, which arrives through one connection, into its two streams. */
import { PassThrough, type Readable } from 'node:stream';

/** The header of each frame: one byte for the stream, three empty bytes, and the length. */
const HEADER_BYTES = 8;
const STDERR = 2;

export interface OutputStreams {
  stdout: Readable;
  stderr: Readable;
}

/** Reads only as fast as both streams are read. Both end with the connection, even if it fails. */
export function takeApart(connection: NodeJS.ReadableStream): OutputStreams {
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
