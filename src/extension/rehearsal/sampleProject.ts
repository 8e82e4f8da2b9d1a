/* Facts about the sample project for the script. */

export const readFirst = ['src/invoice.js', 'src/money.js', 'test/invoice.test.js'] as const;

export const brokenFile = 'src/invoice.js';

export const testCommand = 'npm test';

/** Rounds the tax of each line, which loses fractions of a cent before they add up. */
export const brokenCode = `  let total = 0;
  for (const line of lines) {
    total += lineNet(line) + roundCents(lineTax(line));
  }
  return total;
`;

export const fixedCode = `  let net = 0;
  let tax = 0;
  for (const line of lines) {
    net += lineNet(line);
    tax += lineTax(line);
  }
  return net + roundCents(tax);
`;

/** A reading tool may prefix lines or end them differently, so lines are searched one by one. */
export function holdsBrokenCode(source: string): boolean {
  return brokenCode
    .split('\n')
    .map(line => line.trim())
    .every(line => source.includes(line));
}

export function looksLikeSample(listing: string): boolean {
  return ['package.json', 'src', 'test'].every(name => listing.includes(name));
}

export function isAboutSample(prompt: string): boolean {
  const subject =
    /\b(tests?|fail\w*|bugs?|fix\w*|invoices?|totals?|cents?|round\w*|tax\w*|sample|rehears\w*)\b/i;
  const goOn = /^\W*(continue|continue|carry on|try again|again|retry|proceed|yes|ok|okay)\b/i;
  return subject.test(prompt) || goOn.test(prompt);
}
