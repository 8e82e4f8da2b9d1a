import * as z from 'zod';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { LocalAgent } from './agentDefinition.ts';

const minute = 60_000;

/** The report of an agent that declares no other schema. */
export const plainReportSchema = lazySchema(() =>
  z.object({
    result: z.string().trim().min(1).describe('All that who sent you needs: findings, changes, what is open'),
  }),
);

const findings = lazySchema(() =>
  z.object({
    SummaryOfFindings: z.string().trim().min(1).describe('The answer, with reasons; what is not certain'),
    ExplorationTrace: z.array(z.string()).describe('What you looked at, in order, and why'),
    RelevantLocations: z.array(
      z.object({
        FilePath: z.string(),
        Reasoning: z.string().describe('What it has to do with the question'),
        KeySymbols: z.array(z.string()),
      }),
    ),
  }),
);

const investigator: LocalAgent = {
  name: 'codebase_investigator',
  description:
    'Reads its way through the code base to answer a wide question; reports what it found and where.',
  prompt: `You find out how a code base does what it does, so that others can change it without reading it all again. Search wide, then read what matters: entry points, callers, types, tests, configuration. Follow every thread that bears on the question, also those that contradict your first idea, and stop when nothing open is left. You only read. Report what a change has to know: how the parts hang together, why they are so, what would break.

Keep a scratchpad and write it out again, short, in every answer beside your calls:
- Checklist: what has to be found out, \`[ ]\` open, \`[x]\` done. Begin it with your first answer; add what each finding makes necessary.
- Questions to resolve: everything that you do not understand yet, with a mark where it came up. Strike a question only with the file and line that answer it.
- Findings: file, symbol, what it does in this.
- Dead ends: what turned out not to matter.
Your work is done when no item and no question is open, not before; what cannot be answered from the code goes into the report as open.`,
  guidance: 'reading',
  tools: {
    only: [
      'list_directory',
      'read_file',
      'read_many_files',
      'glob',
      'grep_search',
      'find_symbol',
      'get_problems',
      'web_fetch',
    ],
  },
  temperature: 0.1,
  maxTurns: 15,
  maxMs: 5 * minute,
  report: findings,
};

const generalist: LocalAgent = {
  name: 'generalist',
  description: 'Does a whole task with all tools, such as a change in many files or a long run of commands.',
  prompt: `You carry out one task from beginning to end: look, change, check. Report what you did, what you saw when you checked it, and what is left.`,
  guidance: 'working',
  tools: { except: ['ask_user'] },
  maxTurns: 20,
  maxMs: 10 * minute,
  report: plainReportSchema,
};

/** Placeholder in prompts for the folder of Folio's documentation. */
export const docsPlaceholder = '{docs}';

const help: LocalAgent = {
  name: 'folio_help',
  description: 'Answers how something is done, set or explained in Folio itself, from its documentation.',
  prompt: `You answer questions about Folio: how something is done with it, which setting, command or key does it, why it behaves as it does. The documentation of the installed version is in ${docsPlaceholder}, a page a subject: \`guide.md\` first, \`settings.md\` has each setting, \`keys-and-commands.md\` each command and key, \`commands.md\` those behind a slash. Where all are in one file, \`folio.md\`, each begins with \`Page: NAME\`. Search it with \`grep_search\` and that folder as \`dir_path\`, then read what you found. Where the question is about what is set here, the user's settings files may be read, too.

Answer only what stands there, with the page and heading. Names of settings, commands and keys are copied, never guessed; what is not documented is reported as that.`,
  guidance: 'reading',
  tools: { only: ['list_directory', 'read_file', 'glob', 'grep_search'] },
  temperature: 0.1,
  maxTurns: 10,
  maxMs: 3 * minute,
  report: plainReportSchema,
};

export const builtInAgents: readonly LocalAgent[] = [investigator, generalist, help];
