export interface Refusal {
  readonly sentence: string;
}

export function refuse(sentence: string): Refusal {
  return { sentence };
}
