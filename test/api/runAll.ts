import { apiCases } from './cases.ts';

/** What a desktop VS Code calls in its extension host; it ends with an error when this rejects. */
export async function run(): Promise<void> {
  const failures: string[] = [];
  for (const { name, run: runCase } of apiCases) {
    try {
      await runCase();
      console.log(`passed: ${name}`);
    } catch (error) {
      console.error(`failed: ${name}\n${error}`);
      failures.push(name);
    }
  }
  console.log(`${apiCases.length - failures.length} passed, ${failures.length} failed, 0 skipped`);
  if (failures.length > 0) throw new Error(`Failed: ${failures.join('; ')}`);
}
