export interface Question {
  /** Two or three words above the field. */
  readonly header?: string;
  readonly text: string;
  /** True if the answer may be empty. */
  readonly optional?: boolean;
  readonly field: QuestionField;
}

export type QuestionField =
  | {
      readonly kind: 'choice';
      readonly options: readonly QuestionOption[];
      /** True if several options may be chosen. The user can always answer in free text instead. */
      readonly multiple: boolean;
    }
  | { readonly kind: 'text'; readonly placeholder?: string }
  | { readonly kind: 'yesNo' };

export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}

/** Chosen labels, `Yes` or `No`, or free text. Empty: not answered. */
export type Answer = readonly string[];
