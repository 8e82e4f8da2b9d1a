/* Parses an agent file: Markdown with properties in its frontmatter and the prompt as text. */

import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { headOf, oneLine, sanitiseLine } from '../../base/text.ts';
import type { Customization } from '../customizations/files/customization.ts';
import { readFrontmatter } from '../customizations/files/frontmatter.ts';
import { findToolsByAlias, resolveToolNames, unsupportedTools } from '../toolNames.ts';
import type { AgentDefinition, LocalAgent } from './agentDefinition.ts';
import { plainReportSchema } from './builtInAgents.ts';

type ParsedAgent =
  /** `remarks`: sentences about properties without effect. */
  | { readonly kind: 'agent'; readonly agent: AgentDefinition; readonly remarks: readonly string[] }
  /** `problem`: one sentence. */
  | { readonly kind: 'unusable'; readonly problem: string };

const descriptionLength = 300;
const defaults = { maxTurns: 30, minutes: 10 };
/** One day. */
const maxMinutes = 24 * 60;

/** Rejects text that starts like a list but is not valid YAML. */
const names = lazySchema(() => z.union([z.string().regex(/^(?!\s*[[{])/), z.array(z.string())]).optional());

/** The supported keys, each with a phrase for what it requires. */
const keys = lazySchema(
  () =>
    ({
      kind: [z.literal('local').optional(), () => t('`local` as `kind`')],
      name: [
        z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
        () => t('a name with letters from a to z or digits in it'),
      ],
      description: [
        z.string().trim().min(1),
        () => t('a description, so that the model knows what to send it out for'),
      ],
      display_name: [z.string().optional(), () => t('a string as `display_name`')],
      tools: [names(), () => t('a list of names as `tools`')],
      disallowedTools: [names(), () => t('a list of names as `disallowedTools`')],
      model: [z.string().trim().optional(), () => t('the name of a model as `model`')],
      temperature: [z.number().min(0).max(2).optional(), () => t('a number from 0 to 2 as `temperature`')],
      max_turns: [
        z.int().min(1).max(1000).optional(),
        () => t('a whole number from 1 to 1000 as `max_turns`'),
      ],
      timeout_mins: [
        z.number().positive().max(maxMinutes).optional(),
        () => t('a number of minutes up to {0} as `timeout_mins`', maxMinutes),
      ],
    }) as const,
);

type Keys = ReturnType<typeof keys>;
type Key = keyof Keys;
type Described = { readonly [K in Key]: z.infer<Keys[K][0]> };

/** Keys for features that Folio lacks. Any other key is treated as a note, which files often contain. */
const unheeded: ReadonlySet<string> = new Set([
  'hooks',
  'mcpServers',
  'mcp_servers',
  'skills',
  'permissionMode',
  'memory',
  'isolation',
  'allowed-tools',
  'allowed_tools',
  'allowedTools',
  'disallowed-tools',
  'disallowed_tools',
]);

/** Models of other programs. Such an agent uses the session's model. */
const foreignModel = /^(?:|inherit|default|(?:sonnet|opus|haiku|opusplan)(?:\[1m\])?|claude-.*)$/i;

/** Returns several agents only for a list of remote ones. Never rejects. */
export async function parseAgents(file: Customization): Promise<readonly ParsedAgent[]> {
  if (!/^\uFEFF?\s*---[ \t]*\r?\n\s*-\s/.test(file.text)) return [await parseAgent(file)];
  const { parseRemoteList } = await import('./parseRemote.ts');
  const list = parseRemoteList(file.text);
  if (list === undefined) return [await parseAgent(file)];
  return Promise.all(list.map(data => readRemote(withName(withoutEmpty(data), file.name), '', file)));
}

async function parseAgent(file: Customization): Promise<ParsedAgent> {
  const { name: fileName, path, text } = file;
  const unusable = (what: string) =>
    ({ kind: 'unusable', problem: t('The agent {0} {1}. It is ignored.', path, what) }) as const;
  const read = await readFrontmatter(text);
  if (read.kind === 'broken') return unusable(read.problem);
  const data = withName(withoutEmpty(read.data), fileName);
  if (isRemote(data)) return readRemote(data, read.body, file);
  const wrong = findWrong(data);
  if (wrong) return unusable(t('needs {0}', keys()[wrong][1]()));
  if (read.body.trim() === '') return unusable(t('has no text below its frontmatter'));
  return toAgent(data as unknown as Described, read.body, path);
}

/** A file with an agent card is remote unless it states another kind. */
function isRemote({ kind, agent_card_url, agent_card_json }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'remote' || (kind === undefined && (agent_card_url ?? agent_card_json) !== undefined);
}

async function readRemote(
  data: Readonly<Record<string, unknown>>,
  body: string,
  file: Customization,
): Promise<ParsedAgent> {
  const { parseRemote } = await import('./parseRemote.ts');
  const { path } = file;
  const parsed = parseRemote(data, body, file);
  if (parsed.kind === 'unusable')
    return { kind: 'unusable', problem: t('The agent {0} {1}. It is ignored.', path, parsed.problem) };
  const remarks = parsed.remarks.map(what => t('The agent {0}: {1}.', path, what));
  return { ...parsed, remarks };
}

function withoutEmpty(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

/** Normalises names: blanks and capitals are common, but models would not reproduce them reliably. */
function withName(
  { maxTurns, ...data }: Readonly<Record<string, unknown>>,
  fileName: string,
): Readonly<Record<string, unknown>> {
  const last = fileName.split('/').at(-1)!;
  const { name = last } = data;
  const isText = typeof name === 'string' || typeof name === 'number';
  const [own, ofFile] = [String(name), last].map(slugOf);
  return {
    max_turns: maxTurns,
    ...data,
    name: isText ? own || ofFile : name,
  };
}

function slugOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9_-]+/g, '-');
  return headOf(plain.replace(/^[_-]+/, ''), 64).replace(/-+$/, '');
}

function findWrong(data: Readonly<Record<string, unknown>>): Key | undefined {
  return (Object.keys(keys()) as Key[]).find(key => !keys()[key][0].safeParse(data[key]).success);
}

function toAgent(data: Described, body: string, path: string): ParsedAgent {
  const { name, description, temperature, model = '' } = data;
  const { tools: only, remarks } = parseToolList(data.tools);
  const { tools: except } = parseToolList(data.disallowedTools);
  const idle = Object.keys(data).filter(key => unheeded.has(key));
  const agent: LocalAgent = {
    name,
    description: sanitiseLine(withoutMarks(description), descriptionLength),
    prompt: body.trim(),
    guidance: 'working',
    tools: { only, except },
    model: foreignModel.test(model) ? undefined : model,
    temperature,
    maxTurns: data.max_turns ?? defaults.maxTurns,
    maxMs: (data.timeout_mins ?? defaults.minutes) * 60_000,
    report: plainReportSchema,
  };
  const about = idle.length > 0 ? [t('these keys are ignored: {0}', oneLine(idle.join(', '), 200))] : [];
  return {
    kind: 'agent',
    agent,
    remarks: [...about, ...remarks].map(what => t('The agent {0}: {1}.', path, what)),
  };
}

/** Descriptions on one line often contain a literal `\n` for a line break. */
function withoutMarks(text: string): string {
  return text.replace(/(?:\\n)+(?![a-z])/g, ' ');
}

/* Tool names of an agent file, resolved to Folio's. */

interface ReadToolNames {
  /** Folio's names, with wildcards; absent: unspecified. */
  readonly tools?: readonly string[];
  /** Tools without effect, as a phrase without a full stop. */
  readonly remarks: readonly string[];
}

/** @param given a list, or names separated by commas */
export function parseToolList(given: string | readonly string[] | undefined): ReadToolNames {
  if (given === undefined) return { remarks: [] };
  const list = typeof given === 'string' ? given.split(/,(?![^(]*\))/) : given;
  const names = list.map(name => name.trim()).filter(name => name !== '');
  const found = names.map(name => ({ name, tools: toOurs(name.replace(/\(.*\)$/s, '')) }));
  const unknown = found.filter(({ tools }) => tools === undefined).map(({ name }) => name);
  const remarks = [
    ...(unknown.length > 0 ? [t('Folio has no tools named {0}', oneLine(unknown.join(', '), 200))] : []),
    ...(names.some(name => name.includes('('))
      ? [t('text in brackets after a tool is ignored: the permissions of the session apply')]
      : []),
  ];
  return { tools: [...new Set(found.flatMap(({ tools = [] }) => tools))], remarks };
}

/** Returns undefined for an unknown name. Lower-case names are not checked, since tools of servers come and go. */
function toOurs(name: string): readonly string[] | undefined {
  if (unsupportedTools.has(name)) return [];
  const isKnown = findToolsByAlias(name).length > 0 || /^mcp__|^[^A-Z]/.test(name);
  return isKnown ? resolveToolNames(name) : undefined;
}
