/* Numbers as people say them. */

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** `640`, `2.1k`, `45k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 9_950) return `${trimZero((count / 1000).toFixed(1))}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${trimZero((count / 1_000_000).toFixed(1))}M`;
}

/** `4 s`, `1 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** US dollars: `$0.04`, below a cent `<$0.01`. */
export function formatCost(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2)}`;
}

/** `now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, then the date. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days === 1) return 'yesterday';
  return days < 14 ? `${days} days ago` : new Date(at).toLocaleDateString();
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
