/** Counts of `node --test`, in either of its formats. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** Title of the first test that failed. */
  readonly firstFailure: string | undefined;
}

/** Returns `undefined` if the output has no counts, so that the tests did not run. */
export function parseTestReport(output: string): TestReport | undefined {
  const passed = countOf('pass', output);
  const failed = countOf('fail', output);
  if (passed === undefined || failed === undefined) return undefined;
  const failure = /^\s*(?:✖|not ok \d+ -) (.+?)(?: \([\d.]+ms\))?$/m.exec(
    output.replace(/✖ failing tests:/g, ''),
  );
  return { passed, failed, firstFailure: failure?.[1] };
}

function countOf(word: string, output: string): number | undefined {
  const match = new RegExp(`^\\s*[#ℹ] ${word} (\\d+)`, 'm').exec(output);
  return match ? Number(match[1]) : undefined;
}
