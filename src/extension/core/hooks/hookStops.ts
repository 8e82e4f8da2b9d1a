import type { Saying } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { showHidden } from '../../base/hiddenText.ts';

/** A hook ended the agent's work; the turn ends with its reason. */
export class HookStop extends LocalizedError {
  constructor(reason: Saying) {
    super(reason);
    this.name = 'HookStop';
  }
}

/** Collects hooks' requests to end the running turn. The first reason counts. */
export class HookStops {
  private current: HookStop | undefined;

  get reason(): Saying | undefined {
    const { current } = this;
    return current && (() => current.say());
  }

  /** Prevents anything more of this turn from starting. */
  stop(reason: Saying): HookStop {
    this.current ??= new HookStop(() => showHidden(reason()));
    return this.current;
  }

  /** For a new turn. */
  reset(): void {
    this.current = undefined;
  }
}
