import type { LocalizedMessage } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';

/** A hook ended the agent's work; the turn ends with its reason. */
export class HookStopError extends LocalizedError {
  constructor(reason: LocalizedMessage) {
    super(reason);
    this.name = 'HookStop';
  }
}

/** Collects hooks' requests to end the running turn. The first reason counts. */
export class HookStops {
  private current: HookStopError | undefined;

  get reason(): LocalizedMessage | undefined {
    const { current } = this;
    return current && (() => current.say());
  }

  /** Prevents anything more of this turn from starting. */
  stop(reason: LocalizedMessage): HookStopError {
    this.current ??= new HookStopError(() => escapeInvisibleText(reason()));
    return this.current;
  }

  /** For a new turn. */
  reset(): void {
    this.current = undefined;
  }
}
