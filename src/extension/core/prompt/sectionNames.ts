import { t } from '../../../protocol/language.ts';

/** The sections in the order of the prompt. */
export const sectionNames = [
  'identity',
  'mandates',
  'workflows',
  'applications',
  'operations',
  'safety',
  'environment',
  'sandbox',
  'efficiency',
  'git',
  'agents',
  'skills',
  'servers',
  'memory',
  'chapters',
  'reminder',
] as const;

export type SectionName = (typeof sectionNames)[number];

/** Names under which users may already have disabled a section in the compatible program. */
const alsoKnownAs: Readonly<Record<string, SectionName | readonly SectionName[]>> = {
  PREAMBLE: 'identity',
  COREMANDATES: 'mandates',
  PRIMARYWORKFLOWS: ['workflows', 'applications'],
  PRIMARYWORKFLOWS_SUFFIX: 'applications',
  // There, one of these four applies depending on the tools; here the section itself depends on them.
  PRIMARYWORKFLOWS_PREFIX: 'workflows',
  PRIMARYWORKFLOWS_PREFIX_CI: 'workflows',
  PRIMARYWORKFLOWS_PREFIX_CI_TODO: 'workflows',
  PRIMARYWORKFLOWS_TODO: 'workflows',
  PLANNINGWORKFLOW: 'workflows',
  OPERATIONALGUIDELINES: 'operations',
  FINALREMINDER: 'reminder',
  AGENTCONTEXTS: 'agents',
  AGENTSKILLS: 'skills',
};

/** @param without names of omitted sections, in any case */
export function isSectionOmitted(name: SectionName, without: readonly string[]): boolean {
  return without.some(other => other.toLowerCase() === name);
}

/**
 * Returns the sections that the environment disables: `GEMINI_PROMPT_<SECTION>` is `0` or `false`.
 * @param notify tells the user about a variable that names no section
 */
export function sectionsSwitchedOff(
  env: Readonly<Record<string, string | undefined>>,
  notify: (sentence: string) => void,
): readonly SectionName[] {
  return Object.entries(env).flatMap(([variable, value = '']) => {
    const key = /^GEMINI_PROMPT_(.+)$/.exec(variable)?.[1];
    if (key === undefined) return [];
    const sections = findSections(key);
    if (sections.length === 0)
      notify(t('{0} names unknown sections of the system prompt: {1}.', variable, sectionNames.join(', ')));
    return /^(0|false)$/i.test(value.trim()) ? sections : [];
  });
}

function findSections(key: string): readonly SectionName[] {
  return [sectionNames.find(name => name.toUpperCase() === key) ?? alsoKnownAs[key] ?? []].flat();
}
