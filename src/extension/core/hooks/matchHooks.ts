import type { HookEvent } from '../../../protocol/hooks.ts';
import { BoundedPattern } from '../policy/boundedPattern.ts';
import { whyUnsafe } from '../policy/safePattern.ts';
import { claudeNames, toolsMeant } from '../toolNames.ts';
import type { Hook } from './hook.ts';

/**
 * The hooks that an occasion calls for, each command once. Of the same command inside and outside the sandbox the one
 * inside runs, whichever was listed first: a second entry must not take its sandbox away.
 * @param target the tool, or what brought the event about; absent where an event knows no kinds
 */
export function matchHooks(hooks: readonly Hook[], target: string | undefined): readonly Hook[] {
  const found = new Map<string, Hook>();
  for (const hook of hooks.filter(each => matches(each, target))) {
    // The same command in two extensions starts two different programs.
    const key = [hook.name, hook.command, hook.env.extensionPath].join('\0');
    const known = found.get(key);
    if (!known || (!known.sandbox && hook.sandbox)) found.set(key, hook);
  }
  return [...found.values()];
}

function matches(hook: Hook, target: string | undefined): boolean {
  const { matcher, event, dialect } = hook;
  if (matcher === undefined || target === undefined) return true;
  if (!isAboutTool(event)) return matcher.split('|').includes(target);
  if (isListOfNames(matcher) && matcher.split('|').some(name => toolsMeant(name).includes(target)))
    return true;
  const names = [...(dialect === 'claude' ? claudeNames(target) : []), target];
  // Anchored where the other program anchors: `Edit` there is not `NotebookEdit`.
  const pattern = findPattern(dialect === 'claude' ? `^(?:${matcher})$` : matcher);
  // A pattern that cannot be used fits everything: a hook may be there to object.
  return pattern === undefined || names.some(name => pattern.test(name));
}

/** Plain names with bars between them, which may be those of another program. */
export function isListOfNames(matcher: string): boolean {
  return /^[\w|-]+$/.test(matcher);
}

export function isAboutTool(event: HookEvent): boolean {
  return event === 'BeforeTool' || event === 'AfterTool';
}

function findPattern(source: string): RegExp | undefined {
  return whyUnsafe(source) === undefined ? new BoundedPattern(source, true) : undefined;
}
