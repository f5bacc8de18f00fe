/** Why a Pod was not reached, and what that means for the next try. */
import type { SshQuestion } from '#contract/local/terminalLink.ts';

export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  /** `lost`: may work by itself later; `refused`: not before somebody does something; `gone`: never again. */
  readonly kind: 'lost' | 'refused' | 'gone';
  readonly question: SshQuestion | null;

  constructor(kind: SshFailure['kind'], message: string, question: SshQuestion | null = null) {
    super(message);
    this.kind = kind;
    this.question = question;
  }
}
