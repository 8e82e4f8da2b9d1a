/* A form of questions from the model or a server to a user. */

export interface Question {
  /** Two or three words over the field. */
  readonly header?: string;
  readonly text: string;
  /** It may stay empty. */
  readonly optional?: boolean;
  readonly field: QuestionField;
}

export type QuestionField =
  | {
      readonly kind: 'choice';
      readonly options: readonly QuestionOption[];
      /** More than one may be taken. The user can always answer in their own words instead. */
      readonly multiple: boolean;
    }
  | { readonly kind: 'text'; readonly placeholder?: string }
  | { readonly kind: 'yesNo' };

export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}

/** In the order of the questions: labels taken, `Yes` or `No`, or own words; empty: not answered. */
export type Answer = readonly string[];
