import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, invoiceTotal, lineTotal } from '../src/invoice.js';

const pencil = { name: 'Pencil', quantity: 1, unitCents: 333, taxRate: 0.07 };

test('a line costs its net amount and its tax', () => {
  assert.equal(lineTotal({ name: 'Notebook', quantity: 2, unitCents: 450, taxRate: 0.07 }), 963);
});

test('the tax of a line is rounded to whole cents', () => {
  assert.equal(lineTotal(pencil), 356);
});

test('an empty invoice costs nothing', () => {
  assert.equal(invoiceTotal([]), 0);
});

test('an invoice of one line costs what the line costs', () => {
  assert.equal(invoiceTotal([pencil]), 356);
});

test('tax is rounded once for the whole invoice', () => {
  // Three times 3.33 is 9.99; seven percent of that is 0.6993, so 0.70.
  assert.equal(invoiceTotal([pencil, pencil, pencil]), 1069);
});

test('money is shown with two decimals and thousands', () => {
  assert.equal(formatMoney(106900), '1,069.00');
  assert.equal(formatMoney(5), '0.05');
});
