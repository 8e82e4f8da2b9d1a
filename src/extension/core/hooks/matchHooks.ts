import type { HookEvent } from '../../../protocol/hooks.ts';
import { findPatternProblem } from '../policy/safePattern.ts';
import { TimeLimitedPattern } from '../policy/timeLimitedPattern.ts';
import { claudeNames, resolveToolNames } from '../toolNames.ts';
import type { Hook } from './hook.ts';

/**
 * Returns the hooks for an event, each command once. If a command is listed with and without sandbox, the sandboxed one
 * runs, so that a second entry cannot remove the sandbox.
 * @param target tool or cause of the event; absent if the event has none
 */
export function matchHooks(hooks: readonly Hook[], target: string | undefined): readonly Hook[] {
  const found = new Map<string, Hook>();
  for (const hook of hooks.filter(each => matches(each, target))) {
    // The same command in two extensions starts different programs.
    const key = [hook.name, hook.command, hook.env.extensionPath].join('\0');
    const known = found.get(key);
    if (!known || (!known.sandbox && hook.sandbox)) found.set(key, hook);
  }
  return [...found.values()];
}

function matches(hook: Hook, target: string | undefined): boolean {
  const { matcher, event, dialect } = hook;
  if (matcher === undefined || target === undefined) return true;
  if (!isToolEvent(event)) return matcher.split('|').includes(target);
  if (isListOfNames(matcher) && matcher.split('|').some(name => resolveToolNames(name).includes(target)))
    return true;
  const names = [...(dialect === 'claude' ? claudeNames(target) : []), target];
  // Anchored as in the other program, where `Edit` does not match `NotebookEdit`.
  const pattern = findPattern(dialect === 'claude' ? `^(?:${matcher})$` : matcher);
  // An invalid pattern matches everything, since the hook may be a guard.
  return pattern === undefined || names.some(name => pattern.test(name));
}

/** Matches plain names separated by `|`, which may be those of another program. */
export function isListOfNames(matcher: string): boolean {
  return /^[\w|-]+$/.test(matcher);
}

export function isToolEvent(event: HookEvent): boolean {
  return event === 'BeforeTool' || event === 'AfterTool';
}

function findPattern(source: string): RegExp | undefined {
  return findPatternProblem(source) === undefined ? new TimeLimitedPattern(source, true) : undefined;
}
