/* Parses files about agents on other servers: one in the frontmatter, or a list. Loaded for the first such file. */

import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { isRecord } from '../../base/record.ts';
import { oneLine, sanitiseLine } from '../../base/text.ts';
import type { Customization } from '../customizations/files/customization.ts';
import { parseYaml } from '../customizations/files/parseYaml.ts';
import type { RemoteAgent } from './agentDefinition.ts';
import { isSecureUrl, parseAgentCard } from './remote/parseAgentCard.ts';
import {
  type LoginSecret,
  RemoteAgentError,
  type RemoteAgentServer,
  type RemoteLogin,
} from './remote/remoteAgents.ts';

type Data = Readonly<Record<string, unknown>>;

type Parsed =
  | { readonly kind: 'agent'; readonly agent: RemoteAgent; readonly remarks: readonly string[] }
  /** `problem`: the end of a sentence about the file. */
  | { readonly kind: 'unusable'; readonly problem: string };

const descriptionLength = 300;
/** Longer than for local agents, since remote ones wait for people, too. */
const defaults = { maxTurns: 30, minutes: 30 };

/** Keys of local agents. */
const ofLocals = ['tools', 'disallowedTools', 'model', 'temperature'];

/** The supported keys, each with a phrase for what it requires. */
const keys = lazySchema(
  () =>
    ({
      name: [
        z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
        () => t('a name with letters from a to z or digits in it'),
      ],
      description: [z.string().optional(), () => t('a string as `description`')],
      agent_card_url: [
        z.string().refine(isSecureUrl).optional(),
        () => t('an address with https:// as `agent_card_url` (http:// only on this computer)'),
      ],
      agent_card_json: [z.string().optional(), () => t('a string with JSON as `agent_card_json`')],
      max_turns: [
        z.int().min(1).max(1000).optional(),
        () => t('a whole number from 1 to 1000 as `max_turns`'),
      ],
      timeout_mins: [
        z
          .number()
          .positive()
          .max(24 * 60)
          .optional(),
        () => t('a number of minutes up to {0} as `timeout_mins`', 24 * 60),
      ],
    }) as const,
);

/** Parses a frontmatter that lists agents. Returns `undefined` if it is not a list of objects. */
export function parseRemoteList(text: string): readonly Data[] | undefined {
  const [, block = ''] = /^\uFEFF?\s*---[ \t]*\n(.*?)^---[ \t]*$/ms.exec(text.replace(/\r\n?/g, '\n')) ?? [];
  try {
    const list = parseYaml(block);
    return Array.isArray(list) && list.length > 0 && list.every(isRecord) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** @param data keys of one agent, with a normalised name */
export function parseRemote(data: Data, body: string, { origin }: Customization): Parsed {
  const unusable = (problem: string) => ({ kind: 'unusable', problem }) as const;
  const wrong = Object.entries(keys()).find(([key, [schema]]) => !schema.safeParse(data[key]).success);
  if (wrong) return unusable(t('needs {0}', wrong[1][1]()));
  const { name, description, agent_card_url: url, agent_card_json: json, max_turns, timeout_mins } = data;
  if ((url === undefined) === (json === undefined))
    return unusable(t('needs either `agent_card_url` or `agent_card_json`'));
  const login = data.auth === undefined ? undefined : readLogin(data.auth);
  if (typeof login === 'string') return unusable(login);
  const card = typeof url === 'string' ? url : readInline(String(json));
  if (card instanceof RemoteAgentError)
    return unusable(t('has a card that cannot be used: {0}', card.say().replace(/\.$/, '')));
  const address = new URL(typeof card === 'string' ? card : card.url);
  const remote: RemoteAgentServer = {
    origin: address.origin,
    card,
    login,
    ofWorkspace: origin.kind === 'workspace',
  };
  const words = [description, typeof json === 'string' ? describedIn(json) : undefined, body];
  const described = words.find(each => typeof each === 'string' && each.trim() !== '');
  const idle = ofLocals.filter(key => data[key] !== undefined);
  return {
    kind: 'agent',
    agent: {
      name: String(name),
      description: sanitiseLine(String(described ?? `An agent on ${address.host}`), descriptionLength),
      maxTurns: Number(max_turns ?? defaults.maxTurns),
      maxMs: Number(timeout_mins ?? defaults.minutes) * 60_000,
      remote,
    },
    remarks: idle.length > 0 ? [t('these keys are ignored: {0}', oneLine(idle.join(', '), 200))] : [],
  };
}

function readInline(json: string): Exclude<RemoteAgentServer['card'], string> | RemoteAgentError {
  try {
    return parseAgentCard(JSON.parse(json));
  } catch (error) {
    if (error instanceof RemoteAgentError) return error;
    return new RemoteAgentError(() => t('`agent_card_json` is not JSON.'));
  }
}

function describedIn(json: string): unknown {
  return (JSON.parse(json) as { readonly description?: unknown }).description;
}

/** Returns a string as an error. Messages quote no value, since it may be a secret. */
function readLogin(auth: unknown): RemoteLogin | string {
  const { type, name, scheme, ...values } = isRecord(auth) ? auth : {};
  const [key, token, user, password, value] = [
    values.key,
    values.token,
    values.username,
    values.password,
    values.value,
  ].map(readSecret);
  if ([key, token, user, password, value].includes('command'))
    return t('uses a command for its credentials, which Folio does not run. Use a variable, such as $TOKEN');
  const isScheme = typeof scheme === 'string' && /^[A-Za-z][\w-]*$/.test(scheme);
  const isBasic = isScheme && scheme.toLowerCase() === 'basic';
  if (type === 'apiKey' && isSecret(key)) {
    const header = name === undefined ? 'x-api-key' : String(name).toLowerCase();
    return isHeader(header)
      ? { kind: 'header', header, prefix: '', secret: key }
      : t('has a header in `auth` that is not valid');
  }
  if (type === 'http' && isBasic && isSecret(user) && isSecret(password))
    return { kind: 'basic', user, password };
  const secret = isSecret(token) ? token : value;
  if (type === 'http' && isScheme && isSecret(secret))
    return { kind: 'header', header: 'authorization', prefix: `${scheme} `, secret };
  if (type === 'apiKey' || type === 'http') return t('has an `auth` that lacks its key, token or scheme');
  return t('has an `auth` of a type that Folio does not know: it knows apiKey and http');
}

/** True for a header that may carry a key: it has no other meaning for servers and proxies. */
function isHeader(name: string): boolean {
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) return false;
  return !/^(host|connection|content-.*|transfer-encoding|te|upgrade|accept|a2a-.*)$/.test(name);
}

function isSecret(value: unknown): value is LoginSecret {
  return typeof value === 'object' && value !== null;
}

/** Parses `$NAME` and `${NAME}` as variables, `$$` and `!!` as escapes. */
function readSecret(value: unknown): LoginSecret | 'command' | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  const [, plain, braced] = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/.exec(text) ?? [];
  const variable = plain ?? braced;
  if (variable !== undefined) return { variable };
  if (/^(\$\$|!!)/.test(text)) return { text: text.slice(1) };
  return text.startsWith('!') ? 'command' : { text };
}
