/** The end of the program. */
import { app } from 'electron';

/** The windows close immediately; the process continues until the engine has stopped. */
export function endGracefully(stop: () => Promise<void>, afterwards: () => Promise<void>): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  async function end(): Promise<void> {
    try {
      await stop();
    } finally {
      state = 'stopped';
      await afterwards();
      app.quit();
    }
  }
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    void end();
  });
}
