/** Reports the result of each request to an account, so that the state of the account follows its last requests. */
import { AppError } from '#contract/core/errors.ts';
import type { Outbound } from './outbound.ts';

export interface Observer {
  answered(): void;
  failed(error: AppError): void;
}

export function observeOutbound(outbound: Outbound, { answered, failed }: Observer): Outbound {
  async function observe<T>(request: Promise<T>): Promise<T> {
    try {
      const answer = await request;
      answered();
      return answer;
    } catch (thrown) {
      if (thrown instanceof AppError) failed(thrown);
      throw thrown;
    }
  }
  return {
    send: (call) => observe(outbound.send(call)),
    upload: (call) => observe(outbound.upload(call)),
    bytes: (call) => observe(outbound.bytes(call)),
    socket: (call) => observe(outbound.socket(call)),
    open: (call) => observe(outbound.open(call)),
    async *events(call) {
      let begun = false;
      try {
        for await (const piece of outbound.events(call)) {
          if (!begun) answered();
          begun = true;
          yield piece;
        }
      } catch (thrown) {
        if (thrown instanceof AppError) failed(thrown);
        throw thrown;
      }
    },
    stop: () => outbound.stop(),
  };
}
