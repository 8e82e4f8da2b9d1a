/** The sections in the order of the prompt. */
export const sectionNames = [
  'identity',
  'mandates',
  'workflows',
  'operations',
  'safety',
  'environment',
  'git',
  'agents',
  'skills',
  'servers',
  'memory',
  'chapters',
] as const;

export type SectionName = (typeof sectionNames)[number];

/** Names under which people may already have switched a section off. */
const alsoKnownAs: Readonly<Record<string, SectionName>> = {
  PREAMBLE: 'identity',
  COREMANDATES: 'mandates',
  PRIMARYWORKFLOWS: 'workflows',
  PLANNINGWORKFLOW: 'workflows',
  OPERATIONALGUIDELINES: 'operations',
  AGENTCONTEXTS: 'agents',
  AGENTSKILLS: 'skills',
};

/** @param without names of sections that are left out, in any case */
export function isLeftOut(name: SectionName, without: readonly string[]): boolean {
  return without.some(other => other.toLowerCase() === name);
}

/** Sections that the environment leaves out: `GEMINI_PROMPT_<SECTION>` is `0` or `false`. */
export function sectionsSwitchedOff(env: Readonly<Record<string, string | undefined>>): SectionName[] {
  const off = (key: string) => /^(0|false)$/i.test(env[`GEMINI_PROMPT_${key}`]?.trim() ?? '');
  return sectionNames.filter(
    name =>
      off(name.toUpperCase()) ||
      Object.entries(alsoKnownAs).some(([alias, section]) => section === name && off(alias)),
  );
}
