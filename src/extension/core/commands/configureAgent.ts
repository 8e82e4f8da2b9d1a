/* `/agents config`: sets limits and model of a subagent in the user's settings file. */

import { formatList, plural, t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import type { AgentDefinition } from '../agents/agentDefinition.ts';
import { isMinutes, isTemperature, isTurns } from '../agents/agentOverrides.ts';
import { CommandError } from '../commandError.ts';
import type { CommandContext } from './commands.ts';
import { parseOptions } from './options.ts';
import { assertKnownName } from './unknownName.ts';

/** Settings below `agents.overrides.NAME`, by the command's option. */
const settings = {
  model: { path: ['modelConfig', 'model'], fits: (value: unknown) => value !== '' },
  turns: { path: ['runConfig', 'maxTurns'], fits: isTurns },
  minutes: { path: ['runConfig', 'maxTimeMinutes'], fits: isMinutes },
  temperature: { path: ['modelConfig', 'temperature'], fits: isTemperature },
} as const;

const options = ['model', 'turns', 'minutes', 'temperature'] as const;

/** Without an option, shows the current values. */
export async function configureAgent(surface: CommandContext, argument: string): Promise<void> {
  const parsed = parseOptions(argument, options, ['reset']);
  const [name, ...more] = parsed.names;
  if (name === undefined || more.length > 0)
    throw new CommandError(t('Add a name: {0} NAME.', '/agents config'));
  const { additions } = await surface.installed.extensions();
  await additions.refresh();
  assertKnownName(name, [...additions.agentDefinitions.keys()]);
  const values: (readonly [path: readonly string[], value: string | number])[] = [];
  for (const option of options) {
    const text = parsed.texts[option]?.trim();
    if (text === undefined) continue;
    const { path, fits } = settings[option];
    const value = option === 'model' ? text : Number(text || Number.NaN);
    if (!fits(value)) throw new CommandError(t('--{0} cannot be {1}.', option, oneLine(text, 40)));
    values.push([path, value]);
  }
  const { files } = await surface.installed.servers();
  const place = ['agents', 'overrides', name];
  if (parsed.flags.has('reset'))
    for (const part of ['runConfig', 'modelConfig']) await files.put('person', [...place, part], undefined);
  for (const [path, value] of values) await files.put('person', [...place, ...path], value);
  await additions.refresh();
  surface.user.answer(describe(name, additions.agentDefinitions.get(name)!));
}

function describe(name: string, kind: AgentDefinition): string {
  const limits = [plural(kind.maxTurns, 'one: {0} step | other: {0} steps'), minutes(kind.maxMs / 60_000)];
  if (kind.remote) return t('{0}: {1}.', name, formatList(limits));
  const { model, temperature } = kind;
  const facts = [
    model === undefined ? t("the session's model") : t('the model {0}', model),
    ...(temperature === undefined ? [] : [t('temperature {0}', temperature)]),
    ...limits,
  ];
  return t('{0}: {1}.', name, formatList(facts));
}

function minutes(count: number): string {
  return plural(count, 'one: {0} minute | other: {0} minutes');
}
