/* Limits and models that settings files assign to single agents. */

import { t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import type { CustomFile } from '../../platform/customizations/customFiles.ts';
import { findSettingValue } from '../../platform/findSetting.ts';
import type { LocalAgent } from './agentDefinition.ts';

type Override = Partial<Pick<LocalAgent, 'maxTurns' | 'maxMs' | 'model' | 'temperature'>>;

export interface AgentOverrides {
  readonly byName: ReadonlyMap<string, Override>;
  /** One sentence per value without effect. */
  readonly problems: readonly string[];
}

/** Reads only the user's files, since a workspace must not decide what an agent costs. */
export function readAgentOverridesFromSettings(files: readonly CustomFile[]): AgentOverrides {
  const byName = new Map<string, Override>();
  const problems: string[] = [];
  for (const { kind, problem, origin, path, content } of files) {
    if (kind !== 'settings' || problem !== undefined) continue;
    for (const [name, key, value] of settingsOf(content)) {
      if (!isRecord(value)) continue;
      if (origin.kind === 'workspace') {
        problems.push(
          t(
            '{0}: {1} is ignored, because only your own settings can change the limits of an agent.',
            path,
            key,
          ),
        );
        continue;
      }
      const place = (part: string) => `${path}: ${key}.${part}`;
      byName.set(name, { ...byName.get(name), ...readOverride(value, place, problems) });
    }
  }
  return { byName, problems };
}

/** Lists each agent's values in both forms, `runConfig` and `modelConfig`. */
function settingsOf(content: unknown): readonly (readonly [name: string, key: string, value: unknown])[] {
  const overrides = findSettingValue(content, 'agents.overrides');
  const listed = Object.entries(isRecord(overrides) ? overrides : {}).flatMap(([name, value]) =>
    isRecord(value) && (value.runConfig !== undefined || value.modelConfig !== undefined)
      ? [[name, `agents.overrides.${name}`, value] as const]
      : [],
  );
  const key = 'experimental.codebaseInvestigatorSettings';
  const older = findSettingValue(content, key);
  if (!isRecord(older)) return listed;
  const { maxNumTurns, maxTimeMinutes, model, thinkingBudget } = older;
  if ([maxNumTurns, maxTimeMinutes, model, thinkingBudget].every(each => each === undefined)) return listed;
  const value = {
    runConfig: withoutAbsent({ maxTurns: maxNumTurns, maxTimeMinutes }),
    modelConfig: withoutAbsent({ model, thinkingBudget }),
  };
  return [['codebase_investigator', key, value], ...listed];
}

function readOverride(
  { runConfig = {}, modelConfig = {} }: Readonly<Record<string, unknown>>,
  place: (part: string) => string,
  problems: string[],
): Override {
  const override: { -readonly [K in keyof Override]: Override[K] } = {};
  const wrong = (part: string) => problems.push(t('{0} is ignored: its value is not valid.', place(part)));
  for (const [key, value] of Object.entries(isRecord(runConfig) ? runConfig : {})) {
    const part = `runConfig.${key}`;
    if (key === 'maxTurns' && isTurns(value)) override.maxTurns = value;
    else if (key === 'maxTimeMinutes' && isMinutes(value)) override.maxMs = value * 60_000;
    else if (key === 'maxTurns' || key === 'maxTimeMinutes') wrong(part);
    else problems.push(t('{0} is ignored: Folio has no such setting for agents.', place(part)));
  }
  const { generateContentConfig, ...flat } = isRecord(modelConfig) ? modelConfig : {};
  const model = { ...flat, ...(isRecord(generateContentConfig) ? generateContentConfig : {}) };
  for (const [key, value] of Object.entries(model)) {
    const part = `modelConfig.${key}`;
    if (key === 'model' && typeof value === 'string' && value.trim() !== '') {
      // Means the session's model, which is the default.
      if (value !== 'inherit') override.model = value.trim();
    } else if (key === 'temperature' && isTemperature(value)) override.temperature = value;
    else if (key === 'model' || key === 'temperature') wrong(part);
    else if (/think/i.test(key))
      problems.push(t('{0} is ignored: use /effort to set how hard the model thinks.', place(part)));
    else problems.push(t('{0} is ignored: Folio has no such setting for agents.', place(part)));
  }
  return override;
}

export const isTurns = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000;
export const isMinutes = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= 24 * 60;
export const isTemperature = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 2;

function withoutAbsent(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
