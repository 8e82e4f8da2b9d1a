/* Converts tool settings of other programs to rules, with the priorities that they have there. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import {
  type StrictSettingKey,
  type ToolSettings,
  toolLists,
} from '../../platform/customizations/policyFiles.ts';
import { describeUnknownTool, resolveToolNames } from '../toolNames.ts';
import type { ParsedRuleFile } from './parseRules.ts';
import type { Rule } from './rule.ts';

/** @param shown path of the settings file for messages */
export function settingRules(
  settings: ToolSettings,
  shown: string,
  fingerprint: string | undefined,
): readonly Rule[] {
  const { extension } = settings;
  const base = {
    tier: settings.tier,
    file: settings.path,
    fingerprint,
  };
  const rules = (
    key: string,
    entries: readonly string[] | undefined,
    rule: Pick<Rule, 'priority' | 'decision'>,
  ) =>
    (entries ?? []).map(
      (entry): Rule => ({
        ...base,
        ...rule,
        ...entryOf(entry),
        origin: () => placeOf(settings, shown, key),
        denyMessage: () =>
          extension === undefined
            ? t('{0} is disabled in the settings.', entry)
            : t('{0} is disabled by the extension {1}.', entry, extension),
        askMessage: () => t('The settings require you to confirm {0} each time.', entry),
      }),
    );
  return [
    ...rules('exclude', settings.exclude, { priority: 400, decision: 'deny' }),
    ...rules('confirmationRequired', settings.confirmationRequired, { priority: 350, decision: 'ask' }),
    ...rules('allowed', settings.allowed, { priority: 300, decision: 'allow' }),
    ...coreRules(settings, { ...base, origin: () => `${shown}, tools.core` }),
  ];
}

/** Guards in the settings that Folio lacks: it asks where they would block. */
export function unsupportedGuardRules(settings: ToolSettings, shown: string): ParsedRuleFile {
  const found = (settings.guards ?? []).flatMap(key => {
    const lack = lacks[key];
    return lack ? [{ lack, origin: `${shown}, ${key}` }] : [];
  });
  return {
    rules: found.map(({ lack, origin }) => ({
      ...lack.rule,
      tier: settings.tier,
      file: settings.path,
      origin: () => origin,
      priority: 999,
      decision: 'ask',
      first: true,
      unclear: true,
      askMessage: () => `${lack.intent()} (${origin})`,
    })),
    problems: found.map(({ lack, origin }) => `${origin}: ${lack.remedy()}`),
  };
}

interface Lack {
  readonly rule: Pick<Rule, 'effects' | 'exceptReads' | 'modes' | 'wantsSandbox'>;
  /** Why it asks. */
  readonly intent: LocalizedMessage;
  readonly remedy: LocalizedMessage;
}

const sandbox: Lack = {
  rule: { effects: ['run'], exceptReads: true, wantsSandbox: true },
  intent: () => t('The settings require a sandbox for commands, but "folio.sandbox" is not "on".'),
  remedy: () =>
    t(
      'Set "folio.sandbox" to "on". Until then, commands and tools that do more than read ask each time, in every mode.',
    ),
};

const lacks: Readonly<Record<StrictSettingKey, Lack | undefined>> = {
  'tools.sandbox': sandbox,
  'security.toolSandboxing': sandbox,
  'security.disableYoloMode': {
    rule: { effects: ['edit', 'run', 'fetch'], exceptReads: true, modes: ['yolo'] },
    intent: () => t('The settings disable the mode Allow all.'),
    remedy: () => t('The mode Allow all is disabled. In this mode, every action asks first.'),
  },
  'security.environmentVariableRedaction.blocked': {
    rule: { effects: ['run'] },
    intent: () => t('The settings hide variables of the environment from programs.'),
    remedy: () =>
      t(
        'Folio hides variables from commands only in the sandbox, and chooses them by name. Remove these variables from the environment of Folio, then remove this setting. Until then, commands and tools that run programs ask each time, in every mode.',
      ),
  },
  // Supported: see `RuleBook.onlyOnce`.
  'security.disableAlwaysAllow': undefined,
};

/**
 * A list of the only available tools. It removes the others and allows none: a listed tool still needs permission.
 * Tools that only keep notes of the session stay.
 */
function coreRules({ core }: ToolSettings, base: Pick<Rule, 'tier' | 'origin'>): readonly Rule[] {
  if (!core) return [];
  const entries = core.map(entryOf);
  const tools = [...new Set(entries.flatMap(entry => entry.tools ?? []))];
  const narrowed = entries.flatMap(({ prefixes }) => prefixes ?? []);
  const isWhole = entries.some(entry => entry.tools?.includes(shellTool) && !entry.prefixes);
  const denyMessage = () => t('The settings allow only some tools, and not this one.');
  const others: Rule = {
    ...base,
    denyMessage,
    priority: 240,
    decision: 'deny',
    effects: ['read', 'edit', 'run', 'fetch'],
    exceptTools: tools,
  };
  if (narrowed.length === 0 || isWhole) return [others];
  return [
    others,
    {
      ...base,
      denyMessage: () => t('The settings allow only some commands, and not this one.'),
      priority: 240,
      decision: 'deny',
      tools: [shellTool],
      exceptPrefixes: narrowed,
    },
  ];
}

const shellTool = 'run_shell_command';

/** A manifest of an extension has only one list. */
function placeOf({ extension }: ToolSettings, shown: string, key: string): string {
  return extension === undefined ? `${shown}, tools.${key}` : `${shown}, excludeTools`;
}

/** Returns one sentence for each invalid key or entry. */
export function describeInvalidEntries(settings: ToolSettings, shown: string): readonly string[] {
  const { remarks = [] } = settings;
  const entries = toolLists.flatMap(key =>
    (settings[key] ?? []).flatMap(entry => {
      return describeUnknownTool(entry.replace(/\(.*$/s, '').trim(), placeOf(settings, shown, key)) ?? [];
    }),
  );
  return [...remarks.map(remark => `${shown}: ${remark}`), ...entries];
}

/** Parses `read_file`, or `run_shell_command(git status)` for commands that begin so. */
function entryOf(entry: string): Pick<Rule, 'tools' | 'prefixes'> {
  const [, name = entry, prefix] = /^\s*([\w*.-]+)\s*(?:\((.*)\))?\s*$/.exec(entry) ?? [];
  const tools = resolveToolNames(name);
  const words = prefix?.replace(/[:\s]*\*?\s*$/, '').trim();
  // `(*)` means every command.
  return words ? { tools, prefixes: [words] } : { tools };
}
