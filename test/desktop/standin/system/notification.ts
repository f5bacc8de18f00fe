/** Notification: kept as it was shown, so that a test can read it and click. Nothing is drawn. */
import { Emitter } from '../chromium/represented.ts';
import { afterReady } from '../chromium/runtime.ts';

const shown: Notification[] = [];

export class Notification extends Emitter {
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super(['show', 'click', 'close']);
    afterReady('Notification');
    this.title = title;
    this.body = body;
  }

  show(): void {
    shown.push(this);
    this.emit('show');
  }

  static isSupported(): boolean {
    return true;
  }

  /** For tests: Electron has no list of them. */
  static shown(): readonly Notification[] {
    return shown;
  }
}
