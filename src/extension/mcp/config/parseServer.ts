/*
 * Parses a server's entry in a configuration file. There are three dialects: `mcpServers` in settings files,
 * `mcpServers` in an extension's manifest, and `servers` in VS Code's `mcp.json`.
 */

import { resolve } from 'node:path';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { describeIssue } from '../../base/describeIssue.ts';
import { escapeInvisibleText, hasInvisibleText } from '../../base/hiddenText.ts';
import { isRecord } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import type { Customization } from '../../core/customizations/files/customization.ts';
import { extensionOf } from '../../platform/customizations/customFiles.ts';
import {
  invalidSandboxEntryText,
  isSandboxEntry,
  readSandboxEntry,
} from '../../platform/customizations/sandboxEntry.ts';
import { findDisablingKey, normaliseServerEntry } from '../../platform/customizations/serverEntry.ts';
import type { ServerToStart } from '../../platform/managed/restrictions.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';
import { type ConfigVariables, expandVariables, mapStrings, ServerEntryError } from './expand.ts';
import { parseInputQuestions } from './parseInputQuestions.ts';
import type { OAuthConfig, ServerConfig, StringRecord, TransportConfig } from './serverConfig.ts';

export type ServerEntry = Pick<Customization, 'name' | 'origin' | 'value'>;

interface ServerPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute paths. The first is the default. */
  readonly folders: readonly string[];
  readonly home: string;
  /** Variables of the extension that contributes it. Omitted if there are none. */
  readonly given?: StringRecord;
}

export type ParsedServer =
  | { readonly ok: true; readonly config: ServerConfig }
  /** `problem` is a user-facing message. */
  | { readonly ok: false; readonly problem: string };

const usualTimeoutMs = 600_000;
/** Maximum delay of a timer. */
const maxTimeoutMs = 2 ** 31 - 1;

export function parseServer({ name, origin, value }: ServerEntry, place: ServerPlace): ParsedServer {
  const fail = (why: string): ParsedServer => ({
    ok: false,
    problem: t('The server {0} is ignored: {1}. Correct its entry.', name, why),
  });
  const failure = failureOf(name);
  if (failure !== undefined)
    return {
      ok: false,
      problem: t(
        'The server {0} is ignored: {1}. Choose another name for it.',
        oneLine(escapeInvisibleText(name), 80),
        failure,
      ),
    };
  if (!isRecord(value)) return fail(t('its entry is not an object'));
  const key = findDisablingKey(value);
  if (key !== undefined)
    return {
      ok: false,
      problem: t('The server {0} does not run: `{1}` in its entry disables it.', name, key),
    };
  const parsed = entrySchema.safeParse(normaliseServerEntry(value), { error: describeIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fail(`${issue?.path.join('.') ?? t('its entry')} ${issue?.message ?? t('is not valid')}`);
  }
  const entry = parsed.data;
  const inputs = new Set<string>();
  const variables = variablesOf(origin, place, inputs);
  try {
    const source = sourceOf(entry, variables, place);
    return {
      ok: true,
      config: {
        name,
        origin: origin.kind,
        source,
        inputs: [...inputs],
        questions: parseInputQuestions(value.inputs),
        timeoutMs: Math.min(entry.timeout ?? usualTimeoutMs, maxTimeoutMs),
        // Only the user's own configuration may skip confirmations.
        trusted: origin.kind === 'person' && entry.trust === true,
        description: entry.description || undefined,
        includeTools: entry.includeTools?.map(plainToolName),
        excludeTools: (entry.excludeTools ?? []).map(plainToolName),
        oauth: oauthOf(entry.oauth, variables),
      },
    };
  } catch (error) {
    if (error instanceof ServerEntryError) return fail(error.message);
    throw error;
  }
}

const maxNameLength = 100;

/** Confirmations and permissions refer to the name. */
function failureOf(name: string): string | undefined {
  if (name.trim() === '') return t('it has no name');
  if (name.length > maxNameLength) return t('its name is longer than {0} characters', maxNameLength);
  if (hasInvisibleText(name) || /\p{Cc}/u.test(name)) return t('its name contains invisible characters');
  const isTaken = /^(?:folio$|vscode$|extension:)/i.test(name.trim());
  return isTaken ? t('its name is reserved for Folio, VS Code or an extension') : undefined;
}

const text = z.string({ error: () => t('must be a string') });
const texts = z.array(text, { error: () => t('must be a list of strings') });
const textMap = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)], {
    error: () => t('must be a string'),
  }),
  { error: () => t('must be an object of strings') },
);
const flag = z.boolean({ error: () => t('must be true or false') });

const oauthSchema = z.object(
  {
    enabled: flag.optional(),
    clientId: text.optional(),
    clientSecret: text.optional(),
    clientMetadataUrl: text.optional(),
    issuer: text.optional(),
    authorizationUrl: text.optional(),
    tokenUrl: text.optional(),
    registrationUrl: text.optional(),
    scopes: texts.optional(),
    audiences: texts.optional(),
    redirectUri: text.optional(),
  },
  { error: () => t('must be an object') },
);

const entrySchema = z.object({
  command: text.optional(),
  args: texts.optional(),
  env: z
    .record(z.string(), z.unknown(), { error: () => t('must be an object of strings') })
    .transform(dropNulls)
    .pipe(textMap)
    .optional(),
  envFile: text.optional(),
  cwd: text.optional(),
  url: text.optional(),
  httpUrl: text.optional(),
  tcp: z.unknown().optional(),
  type: text.optional(),
  headers: textMap.optional(),
  timeout: z
    .number({ error: () => t('must be a number of milliseconds') })
    .positive({ error: () => t('must be more than 0') })
    .optional(),
  trust: flag.optional(),
  description: text.optional(),
  includeTools: texts.optional(),
  excludeTools: texts.optional(),
  oauth: oauthSchema.optional(),
  sandbox: z.unknown().refine(isSandboxEntry, { error: invalidSandboxEntryText }).optional(),
});
type Entry = z.infer<typeof entrySchema>;

/** VS Code writes `null` for a variable that must be unset. */
function dropNulls(env: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== null));
}

function variablesOf(
  origin: ServerEntry['origin'],
  place: ServerPlace,
  inputs: Set<string>,
): ConfigVariables {
  const isOfWorkspace = origin.kind === 'workspace';
  return {
    env: { ...place.env, ...place.given },
    home: place.home,
    workspace: place.folders[0],
    extension: extensionOf(origin)?.folder,
    isClosed: name => isOfWorkspace && /^(GEMINI|GOOGLE|OPENAI|ANTHROPIC)_(\w+_)?API_?KEY$/i.test(name),
    wantsInput: id => inputs.add(id),
  };
}

/** `command` and the addresses determine the kind; `type` decides if there are several. */
function sourceOf(entry: Entry, variables: ConfigVariables, place: ServerPlace): TransportConfig {
  const { type, command, url, httpUrl, tcp } = entry;
  const kind = type?.toLowerCase();
  if (kind !== undefined && !['stdio', 'http', 'streamable-http', 'streamablehttp', 'sse'].includes(kind)) {
    throw new ServerEntryError(t('its type "{0}" must be stdio, http or sse', type!));
  }
  if (command !== undefined && (kind === undefined || kind === 'stdio')) {
    return stdioOf({ ...entry, command }, variables, place);
  }
  const address = httpUrl ?? url;
  if (address === undefined) {
    if (tcp !== undefined)
      throw new ServerEntryError(t('Folio does not support tcp, only stdio, http and sse'));
    throw new ServerEntryError(
      kind === undefined
        ? t('it needs a command or a url')
        : t('its type is {0}, but it has no {1}', type!, kind === 'stdio' ? 'command' : 'url'),
    );
  }
  if (kind === 'stdio') throw new ServerEntryError(t('its type is stdio, but it has no command'));
  if (readSandboxEntry(entry.sandbox))
    throw new ServerEntryError(
      t('"sandbox" is only for servers with a command, and this one has an address'),
    );
  const headers = mapStrings(entry.headers ?? {}, (value, key) =>
    explained(t('header {0}', key), () => expandVariables(value, variables, 'refuse')),
  );
  const target = { url: addressOf(address, variables), headers };
  if (kind === 'sse') return { kind: 'sse', ...target };
  return { kind: 'http', ...target, orSse: httpUrl === undefined && kind === undefined };
}

function stdioOf(
  entry: Entry & { readonly command: string },
  variables: ConfigVariables,
  { folders, home, given }: ServerPlace,
): TransportConfig {
  const plain = (value: string) => expandVariables(value, variables, 'literal');
  const base = variables.extension ?? folders[0] ?? home;
  const { command, args = [], env = {}, envFile, cwd } = entry;
  const sandbox = readSandboxEntry(entry.sandbox);
  if (command.trim() === '') throw new ServerEntryError(t('its command is empty'));
  const inBase = (path: string) => resolve(base, home && path.startsWith('~/') ? home + path.slice(1) : path);
  return {
    kind: 'stdio',
    command: explained('command', () => plain(command)),
    args: args.map(value => explained('args', () => plain(value))),
    cwd: cwd === undefined ? base : explained('cwd', () => inBase(plain(cwd))),
    env: { ...given, ...expandEnv(env, variables) },
    envFile: envFile === undefined ? undefined : explained('envFile', () => inBase(plain(envFile))),
    sandbox: sandbox && explained('sandbox', () => grantsOf(sandbox, path => inBase(plain(path)), variables)),
  };
}

/** Commands in the sandbox do not see the folder of an extension, so it is granted here. */
function grantsOf(
  { write, read, hosts }: ProgramGrants,
  absolute: (path: string) => string,
  { extension }: ConfigVariables,
): ProgramGrants {
  const own = extension === undefined ? [] : [extension];
  return { write: write.map(absolute), read: [...own, ...read.map(absolute)], hosts };
}

function expandEnv(env: StringRecord, variables: ConfigVariables): StringRecord {
  return mapStrings(env, (value, key) =>
    explained(t('variable {0}', key), () => expandVariables(value, variables, 'literal')),
  );
}

function addressOf(address: string, variables: ConfigVariables): string {
  const whole = explained('url', () => expandVariables(address, variables, 'refuse'));
  const url = URL.parse(whole.replace(/\$\{input:[^{}]+\}/g, 'input'));
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ServerEntryError(t('its url "{0}" must begin with http:// or https://', address));
  }
  if (url.username || url.password)
    throw new ServerEntryError(t('its url holds a password; use a header instead'));
  return whole;
}

function oauthOf(oauth: Entry['oauth'], variables: ConfigVariables): OAuthConfig {
  if (!oauth) return { enabled: true };
  const { clientId, clientSecret, enabled = true, redirectUri, ...rest } = oauth;
  const plain = (value: string) => explained('oauth', () => expandVariables(value, variables, 'refuse'));
  if (redirectUri !== undefined && !isLoopback(redirectUri)) {
    throw new ServerEntryError(
      t('its oauth.redirectUri is not an address of this computer, such as http://127.0.0.1:7777/callback'),
    );
  }
  const { clientMetadataUrl } = oauth;
  if (clientMetadataUrl !== undefined && !isHttpsUrl(clientMetadataUrl)) {
    throw new ServerEntryError(t('its oauth.clientMetadataUrl is not an https:// address with a path'));
  }
  return {
    ...rest,
    enabled,
    clientId: clientId === undefined ? undefined : plain(clientId),
    clientSecret: clientSecret === undefined ? undefined : plain(clientSecret),
    redirectUri,
  };
}

/** The protocol requires this for a client metadata document. */
function isHttpsUrl(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.pathname !== '/';
}

function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}

/** Adds the part of the entry to the error. */
function explained<T>(part: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ServerEntryError)
      throw new ServerEntryError(t('in its {0}, {1}', part, error.message));
    throw error;
  }
}

/** Gemini CLI's settings may append arguments to a tool: `search(query)`. */
function plainToolName(name: string): string {
  return name.replace(/\(.*$/s, '').trim();
}

/** The server in the form that an organisation's rules match. */
export function serverToStart({ name, source }: ServerConfig): ServerToStart {
  switch (source.kind) {
    case 'stdio':
      return { name, command: [source.command, ...source.args] };
    case 'http':
    case 'sse':
      return { name, url: source.url };
    case 'vscode':
      return { name };
  }
}
