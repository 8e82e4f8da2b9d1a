import { hasTool, type PromptFacts } from './facts.ts';

export function efficiency(facts: PromptFacts): string | undefined {
  return facts.mode !== 'plan' && hasTool(facts, 'run_shell_command') ? sparing : undefined;
}

const sparing = `# Output of commands
Each line costs: prefer flags for less output. Where much is expected, write it into a temporary file (\`command > FILE 2>&1\`), read what matters with grep, head or tail, and delete the file.`;
