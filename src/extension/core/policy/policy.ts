/*
 * The one choke point for permissions: every call passes `judge` before it runs, whatever the tool. Later rules
 * of any origin find their place here.
 */

import type { ApprovalMode, Effect } from '../../../protocol/events.ts';
import type { CallTarget } from '../tool.ts';
import { commandRoot, hasRoot } from './commandRoot.ts';

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason: string; readonly always?: Rule }
  /** `reason` is for the model. */
  | { readonly kind: 'deny'; readonly reason: string };

/** A lasting permission, as narrow as the decision it came from. */
export type Rule =
  | { readonly kind: 'path'; readonly path: string; readonly label: string }
  | { readonly kind: 'command'; readonly root: string; readonly label: string }
  | { readonly kind: 'host'; readonly host: string; readonly label: string };

export interface PolicyQuery {
  readonly tool: string;
  readonly effect: Effect;
  readonly target?: CallTarget;
  readonly mode: ApprovalMode;
}

export class Policy {
  private readonly rules: Rule[] = [];
  private readonly trusted: () => boolean;
  private readonly interactive: boolean;

  /** @param interactive a person is there to decide; without one, what would be asked is denied */
  constructor(trusted: () => boolean, interactive: boolean) {
    this.trusted = trusted;
    this.interactive = interactive;
  }

  judge(query: PolicyQuery): Verdict {
    if (query.effect === 'read' || query.effect === 'note') return { kind: 'allow' };
    const acts = query.effect === 'edit' || query.effect === 'run';
    if (acts && !this.trusted()) {
      return {
        kind: 'deny',
        reason: 'The workspace is restricted: nothing may be written or run until the person trusts it.',
      };
    }
    if (acts && query.mode === 'plan') {
      return { kind: 'deny', reason: 'Plan mode is on: only reading is allowed. Present the plan instead.' };
    }
    if (query.mode === 'yolo' || (query.mode === 'autoEdit' && query.effect === 'edit'))
      return { kind: 'allow' };
    if (this.rules.some(rule => covers(rule, query.target))) return { kind: 'allow' };
    if (!this.interactive)
      return { kind: 'deny', reason: `${query.tool} needs approval and nobody is there to give it.` };
    return { kind: 'ask', reason: reasons[query.effect], always: narrowestRule(query.target) };
  }

  /** Allows what the rule covers until the session ends. */
  remember(rule: Rule): void {
    this.rules.push(rule);
  }
}

const reasons = {
  edit: 'Edits ask first in this mode.',
  run: 'Commands ask first in this mode.',
  fetch: 'Reading from the web asks first: it sends the address outside.',
} as const;

function covers(rule: Rule, target: CallTarget | undefined): boolean {
  if (!target) return false;
  switch (rule.kind) {
    case 'path':
      return target.kind === 'path' && target.path === rule.path;
    case 'command':
      return target.kind === 'command' && hasRoot(target.command, rule.root);
    case 'host':
      return (
        target.kind === 'urls' &&
        target.urls.length > 0 &&
        target.urls.every(url => hostOf(url) === rule.host)
      );
  }
}

function narrowestRule(target: CallTarget | undefined): Rule | undefined {
  if (!target) return undefined;
  switch (target.kind) {
    case 'path': {
      const name = target.path.split(/[\\/]/).at(-1) ?? target.path;
      return { kind: 'path', path: target.path, label: `Always edit ${name}` };
    }
    case 'command': {
      const root = commandRoot(target.command);
      return root === undefined ? undefined : { kind: 'command', root, label: `Always ${root}` };
    }
    case 'urls': {
      const hosts = new Set(target.urls.map(hostOf));
      const [host] = hosts;
      return hosts.size === 1 && host ? { kind: 'host', host, label: `Always ${host}` } : undefined;
    }
  }
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
