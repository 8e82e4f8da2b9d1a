import { hasTool, type PromptFacts } from './facts.ts';

export function git(facts: PromptFacts): string | undefined {
  if (!facts.hasGit || facts.mode === 'plan' || !hasTool(facts, 'run_shell_command')) return undefined;
  const where = facts.folders.length > 1 ? 'A folder of the workspace' : 'The workspace';
  return `# Git\n${where} is a git repository. ${etiquette}`;
}

const etiquette = `Status, diff and log are yours to read. Stage, commit, branch, stash, reset or push only when asked, and a request to commit is none to push. To commit: read status and diff, stage just what belongs, word the message as the log does, check the result. Never amend, force or skip hooks unasked.`;
