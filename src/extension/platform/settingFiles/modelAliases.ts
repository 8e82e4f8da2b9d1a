/* Model aliases in settings files of Gemini CLI, resolved to model ids. */

import { isRecord } from '../../base/record.ts';
import { findSettingValue } from '../findSetting.ts';

export const aliasKeys = ['modelConfigs.aliases', 'modelConfigs.customAliases'] as const;

interface ModelAliases {
  /** Model by alias. Leaves out aliases that resolve to no other model. */
  readonly models: Readonly<Record<string, string>>;
  /** Paths of keys below an alias that have no effect. */
  readonly ignored: readonly string[];
  /** Aliases that extend each other in a cycle. */
  readonly circular: readonly string[];
}

interface Entry {
  readonly key: string;
  readonly base?: string;
  readonly model?: string;
  readonly rest: readonly string[];
}

/** @param settings content of a file. Custom aliases win over others, an own model over the base's. */
export function readModelAliases(settings: unknown): ModelAliases {
  const entries = new Map(aliasKeys.flatMap(key => entriesOf(key, findSettingValue(settings, key))));
  const models: Record<string, string> = {};
  const circular: string[] = [];
  for (const name of entries.keys()) {
    const model = modelOf(name, entries);
    if (model === undefined) circular.push(name);
    else if (model !== name) models[name] = model;
  }
  const ignored = [...entries.values()].flatMap(({ key, rest }) => rest.map(each => `${key}.${each}`));
  return { models, ignored, circular };
}

export function isAliasMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isRecord);
}

function entriesOf(key: string, value: unknown): (readonly [string, Entry])[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([name, entry]) => [name, entryOf(`${key}.${name}`, entry)]);
}

function entryOf(key: string, value: unknown): Entry {
  if (!isRecord(value)) return { key, rest: [] };
  const { extends: base, modelConfig, ...others } = value;
  const { model, generateContentConfig, ...flat } = isRecord(modelConfig) ? modelConfig : {};
  const generation = isRecord(generateContentConfig) ? Object.keys(generateContentConfig) : [];
  return {
    key,
    base: textOf(base),
    model: textOf(model),
    rest: [
      ...Object.keys(others),
      ...Object.keys(flat).map(each => `modelConfig.${each}`),
      ...generation.map(each => `modelConfig.generateContentConfig.${each}`),
    ],
  };
}

/** Base aliases of Gemini CLI only carry parameters. Any other name that is no alias is a model. */
function modelOf(name: string, entries: ReadonlyMap<string, Entry>): string | undefined {
  const seen = new Set<string>();
  let at = name;
  for (;;) {
    const entry = entries.get(at);
    if (entry?.model !== undefined) return entry.model;
    if (entry?.base === undefined || /^(?:chat-)?base(?:-|$)/.test(entry.base)) return at;
    seen.add(at);
    if (seen.has(entry.base)) return undefined;
    at = entry.base;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
