import { customizationFields } from '#shared/domain/event.ts'
import type { CustomizationFields } from '#shared/domain/event.ts'

/** The Customize screen's values as typed: blank text where the event has none. */
export interface Customization {
  readonly customBeaconEmailSubject: string
  readonly customBeaconEmailBody: string
  readonly customQuestions: readonly string[]
  readonly showDefaultQuestions: boolean
}

/** The screen filled with what an event has, or with what was wanted of it. */
export function customizationOf(fields: CustomizationFields): Customization {
  return {
    customBeaconEmailSubject: fields.customBeaconEmailSubject ?? '',
    customBeaconEmailBody: fields.customBeaconEmailBody ?? '',
    customQuestions: fields.customQuestions,
    showDefaultQuestions: fields.showDefaultQuestions,
  }
}

export type CustomizationErrors = Partial<Record<keyof Customization, string>>

/** What is wrong with the values, one message a field. */
export function errorsOf(values: Customization): CustomizationErrors {
  const errors: CustomizationErrors = {}
  for (const { path, message } of customizationFields.safeParse(values).error?.issues ?? []) {
    errors[path[0] as keyof Customization] ??= message
  }
  return errors
}

/** A new question, trimmed; null for one that is empty or already there (specification, section 5). */
export function questionToAdd(typed: string, existing: readonly string[]): string | null {
  const question = typed.trim()
  return question === '' || existing.includes(question) ? null : question
}
