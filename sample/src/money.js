/** Whole cents; halves go up. */
export function roundCents(cents) {
  return Math.round(cents);
}

/** 123456 becomes `1,234.56`. */
export function formatMoney(cents) {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${whole}.${digits.slice(-2)}`;
}
