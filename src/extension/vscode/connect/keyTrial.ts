import { detectKeyFormat, type KeyFormat } from '../../base/keyForms.ts';
import type { KeyAnswer, KeyQuestion } from './connectDialogs.ts';

/** Tries the keys that the user enters in one field. Entering a key never saves one that was refused. */
export class KeyTrial {
  /** Why the key that was tried last cannot be used. */
  refused: { readonly key: string; readonly problem: string } | undefined;
  private isTrying = false;
  private readonly question: KeyQuestion;

  constructor(question: KeyQuestion) {
    this.question = question;
  }

  /** Returns the other service whose key this seems to be. */
  findOwner(key: string): KeyFormat | undefined {
    const owner = detectKeyFormat(key);
    return owner !== undefined && this.question.belongsElsewhere(owner) ? owner : undefined;
  }

  /** Returns the answer; `undefined` if the key was refused, or while another is tried. */
  async enter(key: string, signal: AbortSignal): Promise<KeyAnswer | undefined> {
    if (this.isTrying) return undefined;
    const owner = this.findOwner(key);
    if (owner) return { kind: 'misplaced', owner, key };
    this.isTrying = true;
    try {
      const problem = await this.question.tryKey(key, signal);
      this.refused = problem === undefined ? undefined : { key, problem };
      return this.refused ? undefined : { kind: 'key', key };
    } finally {
      this.isTrying = false;
    }
  }

  /** Returns the answer of a user who wants to save the refused key anyway. */
  saveAnyway(): KeyAnswer | undefined {
    return this.refused && !this.isTrying ? { kind: 'key', ...this.refused } : undefined;
  }
}
