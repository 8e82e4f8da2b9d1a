/* The allow lists in an organisation's settings. Loaded only if such a file exists. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import { editDistance } from '../../base/similarity.ts';
import { escapeRegExp, sanitiseLine } from '../../base/text.ts';
import { findSettingValue } from '../../platform/findSetting.ts';
import type { Restrictions, ServerToStart } from '../../platform/managed/restrictions.ts';
import {
  isApprovalMode,
  isProviderName,
  type ProviderName,
  type SettingValues,
} from '../../platform/settings.ts';

type Mode = SettingValues['approvalMode'];

/** All keys of an entry must match. An entry with only the name allows any kind of server with that name. */
interface ServerRule {
  readonly serverName?: string;
  readonly serverUrl?: string;
  readonly serverCommand?: readonly string[];
}

interface Lists {
  readonly allowedProviders?: readonly ProviderName[];
  readonly allowedModels?: readonly string[];
  readonly allowedModes?: readonly Mode[];
  readonly allowedServers?: readonly ServerRule[];
}

const checks: Readonly<
  Record<keyof Lists, readonly [isItem: (item: unknown) => boolean, expected: LocalizedMessage]>
> = {
  allowedProviders: [isProviderName, () => t('a list of providers, such as "anthropic"')],
  allowedModels: [isText, () => t('a list of model ids, with * for any characters')],
  allowedModes: [isApprovalMode, () => t('a list of "default", "autoEdit", "plan" and "yolo"')],
  allowedServers: [
    isServerRule,
    () => t('a list of objects with "serverName", "serverUrl" or "serverCommand"'),
  ],
};

interface ReadRestrictions {
  /** Omitted if there are none. */
  readonly restrictions?: Restrictions;
  /** Keys in the file. */
  readonly names: readonly string[];
  /** One message per unusable list. */
  readonly problems: readonly string[];
}

/** @param path names the file in messages */
export function readRestrictions(settings: unknown, path: string): ReadRestrictions {
  const found = Object.entries(checks).flatMap(([name, [isItem, expected]]) => {
    const value = findSettingValue(settings, `folio.${name}`);
    const isGood = Array.isArray(value) && value.every(isItem);
    return value === undefined ? [] : [{ name, value, problem: isGood ? undefined : expected() }];
  });
  const names = found.map(({ name }) => name);
  const problems = [
    ...found.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [t('In {0}, "{1}" must be {2}.', path, `folio.${name}`, problem)],
    ),
    ...misspelt(settings).map(([name, near]) =>
      t('In {0}, "{1}" is not a setting. Did you mean "{2}"?', path, `folio.${name}`, `folio.${near}`),
    ),
  ];
  if (problems.length > 0 || found.length === 0) return { names, problems };
  const lists: Lists = Object.fromEntries(found.map(({ name, value }) => [name, value]));
  return { names, problems, restrictions: new AllowLists(lists) };
}

class AllowLists implements Restrictions {
  readonly modes: readonly Mode[] | undefined;
  private readonly lists: Lists;
  private readonly picked = new WeakMap<object, readonly { readonly id: string }[]>();

  constructor(lists: Lists) {
    this.lists = lists;
    this.modes = lists.allowedModes;
  }

  refuseProvider(provider: string): string | undefined {
    const { allowedProviders: providers } = this.lists;
    if (!providers || providers.some(each => each === provider)) return undefined;
    return providers.length === 0
      ? t('Your organization does not allow the provider {0}.', provider)
      : t(
          'Your organization does not allow the provider {0}. It allows {1}.',
          provider,
          providers.join(', '),
        );
  }

  refuseModel(provider: string, id: string): string | undefined {
    const refused = this.refuseProvider(provider);
    if (refused !== undefined) return refused;
    const { allowedModels: models } = this.lists;
    const names = [id, `${provider}:${id}`];
    if (!models || models.some(pattern => names.some(name => matches(pattern, name)))) return undefined;
    const shown = sanitiseLine(id, 100);
    return models.length === 0
      ? t('Your organization does not allow the model {0}.', shown)
      : t(
          'Your organization does not allow the model {0}. It allows {1}: choose another with /model.',
          shown,
          models.join(', '),
        );
  }

  pickModels<Model extends { readonly id: string }>(
    provider: string,
    models: readonly Model[],
  ): readonly Model[] {
    const known = this.picked.get(models) as readonly Model[] | undefined;
    const picked = known ?? models.filter(({ id }) => this.refuseModel(provider, id) === undefined);
    this.picked.set(models, picked);
    return picked;
  }

  refuseServer(server: ServerToStart): string | undefined {
    const { allowedServers: rules } = this.lists;
    if (!rules || rules.some(rule => fits(rule, server))) return undefined;
    return t(
      'Your organization does not allow the server {0}. Ask it to add this one.',
      sanitiseLine(server.name, 60),
    );
  }
}

function fits(
  { serverName, serverUrl, serverCommand }: ServerRule,
  { name, url, command }: ServerToStart,
): boolean {
  if (serverName !== undefined && serverName !== name) return false;
  if (serverUrl !== undefined && (url === undefined || !fitsAddress(serverUrl, url))) return false;
  if (serverCommand === undefined) return true;
  return command?.length === serverCommand.length && command.every((part, at) => part === serverCommand[at]);
}

/** A star in the host matches only host characters, so that no path, user or port can pass for one. */
function fitsAddress(pattern: string, address: string): boolean {
  // The user's answer is not known yet, and could lead anywhere.
  if (address.includes('${')) return false;
  const [, scheme = '', host = '', path = '/*'] = /^([a-z*]+):\/\/([^/]*)(\/.*)?$/i.exec(pattern) ?? [];
  const url = URL.parse(address);
  if (url?.username !== '' || url.password !== '') return false;
  const parts: [string, string][] = [
    [scheme, url.protocol.slice(0, -1)],
    [host, url.host],
    [path, `${url.pathname}${url.search}`],
  ];
  return parts.every(([wanted, found]) => matches(wanted, found));
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`, 'is').test(text);
}

/** Keys that resemble a list's name, because a list that is silently ignored protects nobody. */
function misspelt(settings: unknown): readonly (readonly [name: string, near: string])[] {
  if (!isRecord(settings)) return [];
  const nested = isRecord(settings.folio) ? Object.keys(settings.folio) : [];
  const dotted = Object.keys(settings).flatMap(key => (key.startsWith('folio.') ? key.slice(6) : []));
  return [...nested, ...dotted].flatMap(name => {
    if (Object.hasOwn(checks, name)) return [];
    const distance = (list: string) => editDistance(name, list, 8);
    const nearest = Object.keys(checks).sort((one, other) => distance(one) - distance(other))[0]!;
    return name.startsWith('allowed') || distance(nearest) <= 3 ? [[name, nearest] as const] : [];
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isServerRule(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([key, each]) => {
      if (key === 'serverCommand') return Array.isArray(each) && each.length > 0 && each.every(isText);
      return key === 'serverUrl' ? isAddress(each) : key === 'serverName' && isText(each);
    })
  );
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(https?|\*):\/\/[^/]+(\/.*)?$/i.test(value);
}
