/** Tries calls of a client one after the other, and writes a line with what became of each. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const write = (outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`);

/** @param {Record<string, () => Promise<unknown>>} calls What throws did not pass. Those that LEFT_OUT lists are not made. */
export async function report(calls) {
  const leftOut = JSON.parse(process.env['LEFT_OUT'] ?? '[]');
  for (const [call, make] of Object.entries(calls).filter(([name]) => !leftOut.includes(name))) {
    try {
      await make();
      write({ call, passed: true, detail: '' });
    } catch (error) {
      write({ call, passed: false, detail: String(error?.stack ?? error) });
    }
  }
}

export { assert };

/** A variable that the test has set. */
export function variable(name) {
  const value = process.env[name];
  assert(value !== undefined, `${name} is not set`);
  return value;
}

/**
 * Streams the answer to a message. The handler sends its second part once the first was read, so an answer that comes in one piece
 * never comes.
 * @param {(message: string) => AsyncIterable<string> | Promise<AsyncIterable<string>>} stream
 */
export async function readStream(stream) {
  const message = `read-${randomUUID()}`;
  let text = '';
  for await (const part of await stream(message)) {
    text += part;
    if (text !== '') writeFileSync(join(variable('OPENAI_FOLDER'), message), '');
  }
  assert.equal(text, `You wrote: ${message}`);
}

/** Reads until the value is right: the time a job takes is not what is tested. */
export async function until(read, isRight) {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
