import { roundCents } from './money.js';

export { formatMoney } from './money.js';

/** Net amount of a line, in cents. */
function lineNet(line) {
  return line.quantity * line.unitCents;
}

/** Tax of a line, in cents and fractions of a cent. */
function lineTax(line) {
  return lineNet(line) * line.taxRate;
}

/** What one line costs with tax, as printed beside the line. */
export function lineTotal(line) {
  return lineNet(line) + roundCents(lineTax(line));
}

/** What the customer pays, in cents. */
export function invoiceTotal(lines) {
  let total = 0;
  for (const line of lines) {
    total += lineNet(line) + roundCents(lineTax(line));
  }
  return total;
}
