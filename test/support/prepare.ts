/**
 * Fetches what a stage needs before its first test, because that may take minutes and is not a test. Where it cannot
 * be had, the run ends here with the sentence that says what to do: no test could run, and a trace would tell nobody
 * more.
 */
export async function prepare<T>(install: () => Promise<T>): Promise<T> {
  try {
    return await install();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
