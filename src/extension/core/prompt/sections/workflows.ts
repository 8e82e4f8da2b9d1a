import { hasTool, joinLines, type PromptFacts } from './facts.ts';

export function workflows(facts: PromptFacts): string {
  if (facts.mode === 'plan')
    return joinLines(planning, hasTool(facts, 'exit_plan_mode') ? present : conclude(facts));
  return joinLines(
    '# How to work',
    understand,
    hasTool(facts, 'invoke_agent') && facts.agents?.some(({ name }) => name === investigator) && delegate,
    hasTool(facts, 'write_todos') && todos,
    change,
    hasTool(facts, 'run_shell_command') ? verify : verifyByReading,
    finish,
  );
}

const understand = `1. Understand: find the code, its callers and its tests before you touch it. Reproduce a bug first, best with a failing test.`;

const investigator = 'codebase_investigator';

const delegate = `   For questions that span much of the code base, send out \`${investigator}\` and work from its report.`;

const todos = `   Three steps or more: keep them in \`write_todos\`, one in progress, updated as you go.`;

const change = `2. Change: small, complete edits that leave the project working. New behaviour comes with a test where the project has tests.`;

const verify = `3. Verify: run the project's own tests, types and lint (see its manifest, CI or docs), the nearest first. Problems reported after an edit are yours to fix. What was not run is not done.`;

const verifyByReading = `3. Verify: you cannot run anything here, so read your change again with its callers and say that it was not run.`;

const finish = `4. Finish: in a few lines, what changed, how it was verified, what is left.
When an attempt fails twice, stop repeating it: gather evidence and question the assumption behind it.`;

const planning = `# Plan mode
Look, do not touch: only reading calls run, edits and commands are refused. Study the code until you could do the work, then make the plan: the goal; each file with what changes and why; order; risks and open questions; how to verify. Concrete enough to be carried out without you.`;

/** Approval ends plan mode in the middle of a turn, and the work begins. */
const present = `Present it with \`exit_plan_mode\`: the user reads it in an editor, may change it, and approves it or sends it back with remarks. Settle first what only they can decide. Nothing is carried out before; a question about the code needs no plan.`;

const conclude = (facts: PromptFacts) => (facts.interactive ? planForUser : planAlone);

const planForUser = `End there. The user decides and leaves plan mode when they want it done.`;

const planAlone = `The plan is your result.`;
