import type { Classified } from '../../../protocol/events.ts';
import type { Saying } from '../../../protocol/language.ts';
import type { AskedCommand } from '../../../protocol/permissions.ts';
import type { CommandSandbox } from '../../platform/sandbox.ts';
import type { Offer } from './offers.ts';

/** The policy's answer about a call. */
export type Verdict =
  /** `reads`: the command is known to be read-only. `sandboxes` hold it. `classified`: a small model let it run. */
  | {
      readonly kind: 'allow';
      readonly reads?: true;
      readonly sandboxed?: CommandSandbox;
      readonly classified?: Classified;
    }
  | {
      readonly kind: 'ask';
      readonly reason: Saying;
      /** Which rule asks and where it stands; absent for the defaults. */
      readonly rule?: string;
      readonly commands?: readonly AskedCommand[];
      /** The narrowest first. */
      readonly always: readonly Offer[];
      /** Why there is none, where the reason does not say so. */
      readonly eachTime?: Saying;
      readonly reads?: true;
      readonly sandboxed?: CommandSandbox;
      /** A small model may answer in the user's place, and reads this of the commands. */
      readonly toClassify?: readonly AskedCommand[];
      /** The answer of that model. */
      readonly classified?: Classified;
    }
  | { readonly kind: 'deny'; readonly reason: Saying };

export function deny(reason: Saying): Verdict {
  return { kind: 'deny', reason };
}
