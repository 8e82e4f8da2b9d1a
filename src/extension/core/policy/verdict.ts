import type { Classified } from '../../../protocol/events.ts';
import type { LocalizedMessage } from '../../../protocol/language.ts';
import type { AskedCommand } from '../../../protocol/permissions.ts';
import type { CommandSandbox } from '../../platform/sandbox.ts';
import type { PermissionOffer } from './offers.ts';

export type Verdict =
  /** `reads`: the command is known to be read-only. `classified`: a small model allowed it. */
  | {
      readonly kind: 'allow';
      readonly reads?: true;
      readonly sandboxed?: CommandSandbox;
      readonly classified?: Classified;
    }
  | {
      readonly kind: 'ask';
      readonly reason: LocalizedMessage;
      /** The rule that asks and its location; absent for default rules. */
      readonly rule?: string;
      readonly commands?: readonly AskedCommand[];
      /** The narrowest first. */
      readonly always: readonly PermissionOffer[];
      /** Why there is no choice, if the reason does not say so. */
      readonly eachTime?: LocalizedMessage;
      readonly reads?: true;
      readonly sandboxed?: CommandSandbox;
      /** A small model may answer for the user, and gets these commands. */
      readonly toClassify?: readonly AskedCommand[];
      /** The answer of that model. */
      readonly classified?: Classified;
    }
  | { readonly kind: 'deny'; readonly reason: LocalizedMessage };

export function denied(reason: LocalizedMessage): Verdict {
  return { kind: 'deny', reason };
}
