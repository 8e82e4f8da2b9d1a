import type { HookEvent } from '../../../protocol/hooks.ts';
import { type Hook, toolNamesFor } from './hook.ts';

/**
 * The hooks that an occasion calls for, each command once. Of the same command inside and outside the sandbox the one
 * inside runs, whichever was listed first: a second entry must not take its walls away.
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
  const names = toolNamesFor(dialect, target);
  // Anchored where the other program anchors: `Edit` there is not `NotebookEdit`.
  const pattern = findPattern(dialect === 'claude' ? `^(?:${matcher})$` : matcher);
  return names.some(name => (pattern ? pattern.test(name) : name === matcher));
}

export function isAboutTool(event: HookEvent): boolean {
  return event === 'BeforeTool' || event === 'AfterTool';
}

function findPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    // Taken as a name then.
    return undefined;
  }
}
