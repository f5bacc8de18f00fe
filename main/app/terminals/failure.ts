/** Why a Pod was not reached, and whether another try makes sense. */
import type { SshQuestion } from '#contract/local/terminalLink.ts';

export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  /** `lost`: it may work later; `refused`: only after somebody acts; `gone`: never again. */
  readonly kind: 'lost' | 'refused' | 'gone';
  readonly question: SshQuestion | null;

  constructor(kind: SshFailure['kind'], message: string, question: SshQuestion | null = null) {
    super(message);
    this.kind = kind;
    this.question = question;
  }
}
