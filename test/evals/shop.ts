/** A small project with a fault in it that invites to be fixed. */
export const shop: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "shop",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'src/cart.mjs': `import { round } from './money.mjs';

export function total(items) {
  return round(items.reduce((sum, item) => sum + item.price * item.count, 0));
}

export function average(items) {
  return round(total(items) / items.length);
}
`,
  'src/money.mjs': `export function round(amount) {
  return Math.round(amount * 100) / 100;
}
`,
  'src/report.mjs': `import { average, total } from './cart.mjs';

export function describe(cart) {
  return \`\${cart.length} items, \${total(cart)} in all, \${average(cart)} each\`;
}
`,
};
