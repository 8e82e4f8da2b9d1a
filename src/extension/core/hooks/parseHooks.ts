import * as z from 'zod';
import type { HookEvent } from '../../../protocol/hooks.ts';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { describeIssue } from '../../base/describeIssue.ts';
import { oneLine } from '../../base/text.ts';
import type { HookDialect, HookFile } from '../../platform/customizations/hooks.ts';
import {
  invalidSandboxEntryText,
  isSandboxEntry,
  readSandboxEntry,
} from '../../platform/customizations/sandboxEntry.ts';
import { findPatternProblem } from '../policy/safePattern.ts';
import { describeUnknownTool } from '../toolNames.ts';
import { type Hook, hookEvents } from './hook.ts';
import { isListOfNames, isToolEvent } from './matchHooks.ts';

export interface ParsedHooks {
  readonly hooks: readonly Hook[];
  readonly config: HooksConfig;
  /** One sentence for each entry that cannot be used. */
  readonly problems: readonly string[];
}

interface HooksConfig {
  readonly enabled: boolean;
  /** Names or commands. */
  readonly disabled: readonly string[];
  /** Also shows runs without effect. */
  readonly notifications: boolean;
}

/** Parses one settings file. Invalid entries are omitted and reported. */
export function parseHooks(file: HookFile): ParsedHooks {
  const problems: string[] = file.problem === undefined ? [] : [file.problem];
  const settings = settingsSchema().safeParse(file.content ?? {});
  if (!settings.success) {
    const [issue] = settings.error.issues;
    problems.push(t('In {0}, {1} is not valid, so none of its hooks run.', file.path, placeOf(issue)));
    return { hooks: [], config: { ...defaults, enabled: false }, problems };
  }
  const { hooks: events = {}, hooksConfig, disableAllHooks } = settings.data;
  const hooks: Hook[] = [];
  for (const [eventName, definitions] of Object.entries(events)) {
    if (legacyKeys.has(eventName)) continue;
    const known = findEvent(eventName, file.dialect);
    if (!known)
      problems.push(t('In {0}, hooks.{1} is not an event of Folio. It is ignored.', file.path, eventName));
    else hooks.push(...parseDefinitions(definitions, { ...known, eventName, file, problems }));
  }
  return { hooks, config: configOf(events, hooksConfig, disableAllHooks), problems };
}

const defaults: HooksConfig = { enabled: true, disabled: [], notifications: true };

/** Keys that are now in `hooksConfig`. */
const legacyKeys = new Set(['enabled', 'disabled', 'notifications']);

const defaultTimeoutMs = 60_000;
/** Longest delay of a timer. */
const maxTimeoutMs = 2 ** 31 - 1;

const configSchema = lazySchema(() =>
  z.object({
    enabled: z.boolean().optional(),
    disabled: z.array(z.string()).optional(),
    notifications: z.boolean().optional(),
  }),
);

const settingsSchema = lazySchema(() =>
  z.object({
    hooks: z.record(z.string(), z.unknown()).optional(),
    hooksConfig: configSchema().optional(),
    disableAllHooks: z.boolean().optional(),
  }),
);

const definitionSchema = lazySchema(() =>
  z.object({
    matcher: z.string().optional(),
    sequential: z.boolean().optional(),
    hooks: z.array(z.unknown(), { error: () => t('needs a list of programs') }),
  }),
);

const hookSchema = lazySchema(() =>
  z.object({
    type: z.literal('command', {
      error: ({ input }) =>
        typeof input === 'string' ? t('"{0}" is not a program', oneLine(input, 40)) : t('must be "command"'),
    }),
    command: z.string().refine(command => command.trim() !== '', { error: () => t('is empty') }),
    name: z.string().optional(),
    description: z.string().optional(),
    timeout: z.number().positive().optional(),
    env: z.record(z.string(), z.string()).optional(),
    args: z.array(z.string()).optional(),
    if: z.string().optional(),
    guard: z.boolean().optional(),
    sandbox: z.unknown().refine(isSandboxEntry, { error: invalidSandboxEntryText }).optional(),
  }),
);

interface Place {
  readonly event: HookEvent;
  readonly dialect: HookDialect;
  readonly eventName: string;
  readonly file: HookFile;
  readonly problems: string[];
}

/** Events known to only one program determine the contract of their hooks. */
function findEvent(written: string, dialect: HookDialect): Pick<Place, 'event' | 'dialect'> | undefined {
  // `ToolNotification` is a former name.
  const name = written.replace(/^Tool(?=Notification$)/, '');
  for (const [event, { claude }] of Object.entries(hookEvents) as [HookEvent, { claude?: string }][]) {
    if (claude === name && event !== name) return { event, dialect: 'claude' };
    if (event === name) return { event, dialect: claude === name ? dialect : 'gemini' };
  }
  return undefined;
}

function parseDefinitions(definitions: unknown, place: Place): readonly Hook[] {
  const { file, eventName, problems } = place;
  const where = `hooks.${eventName}`;
  if (!Array.isArray(definitions)) {
    problems.push(t('In {0}, {1} must be a list. Its hooks are ignored.', file.path, where));
    return [];
  }
  return definitions.flatMap((definition, index) => {
    const parsed = definitionSchema().safeParse(definition, { error: describeIssue });
    if (parsed.success) return parseList(parsed.data, `${where}[${index}]`, place);
    problems.push(leftOut(file, `${where}[${index}]`, parsed.error.issues[0]));
    return [];
  });
}

function parseList(
  { matcher, sequential = false, hooks }: z.infer<ReturnType<typeof definitionSchema>>,
  where: string,
  { event, eventName, dialect, file, problems }: Place,
): readonly Hook[] {
  if (matcher !== undefined && isToolEvent(event)) problems.push(...matcherProblems(matcher, file, where));
  return hooks.flatMap((hook, index) => {
    const parsed = hookSchema().safeParse(hook, { error: describeIssue });
    if (!parsed.success) {
      problems.push(leftOut(file, `${where}.hooks[${index}]`, parsed.error.issues[0]));
      return [];
    }
    const { name, description, timeout, env = {}, sandbox } = parsed.data;
    const command = wholeLine(parsed.data);
    if (parsed.data.if !== undefined)
      problems.push(
        t(
          'In {0}, {1}.hooks[{2}].if is ignored: the hook runs whenever its matcher matches.',
          file.path,
          where,
          index,
        ),
      );
    const { origin, path } = file;
    return {
      event,
      eventName,
      dialect,
      sequential,
      command,
      description,
      origin,
      file: path,
      env: { ...file.env, ...env },
      secrets: file.secrets,
      sandbox: readSandboxEntry(sandbox),
      guard: parsed.data.guard ? true : undefined,
      matcher: matcher === undefined || everything.has(matcher) ? undefined : matcher,
      name: name?.trim() || oneLine(command, 80),
      timeoutMs: timeoutOf(timeout, dialect),
    };
  });
}

function matcherProblems(matcher: string, file: HookFile, where: string): readonly string[] {
  const place = [file.path, `${where}.matcher`].join(', ');
  if (isListOfNames(matcher))
    return matcher.split('|').flatMap(name => (name === '' ? [] : (describeUnknownTool(name, place) ?? [])));
  const why = everything.has(matcher) ? undefined : findPatternProblem(matcher);
  return why === undefined
    ? []
    : [t('{0}: {1}. Until you correct it, these hooks run for every tool.', place, why)];
}

const everything: ReadonlySet<string> = new Set(['', '*', '.*']);

/** Joins separate arguments to one command line, quoted as single words. Variables stay variables. */
function wholeLine({
  command,
  args = [],
}: Pick<z.infer<ReturnType<typeof hookSchema>>, 'command' | 'args'>): string {
  return args.length === 0 ? command : [command, ...args].map(quoted).join(' ');
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const kept = word.replace(/[\\"`]|\$(?!\{?(?:CLAUDE|GEMINI)_[A-Z_]+\b)/g, '\\$&');
  return `"${kept}"`;
}

function timeoutOf(timeout: number | undefined, dialect: HookDialect): number {
  if (timeout === undefined) return defaultTimeoutMs;
  return Math.min(maxTimeoutMs, dialect === 'claude' ? timeout * 1000 : timeout);
}

function configOf(
  events: Readonly<Record<string, unknown>>,
  config: z.infer<ReturnType<typeof configSchema>> = {},
  disableAll = false,
): HooksConfig {
  const { enabled, disabled, notifications } = events;
  const legacy = configSchema().safeParse({ enabled, disabled, notifications });
  const merged = { ...defaults, ...withoutHoles(legacy.data ?? {}), ...withoutHoles(config) };
  return disableAll ? { ...merged, enabled: false } : merged;
}

function withoutHoles<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string } | undefined;

function leftOut(file: HookFile, where: string, issue: Issue): string {
  const inside = issue?.path.length ? `.${issue.path.map(String).join('.')}` : '';
  return t(
    'In {0}, {1} is not valid ({2}). It is ignored.',
    file.path,
    where + inside,
    issue?.message ?? t('not valid'),
  );
}

function placeOf(issue: Issue): string {
  return issue?.path.length ? issue.path.map(String).join('.') : t('the content');
}
