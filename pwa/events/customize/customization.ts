import { questionText } from '#shared/applications/application-record.ts'
import { customizationFields, eventFields, type CustomizationFields, type EventFields } from '#shared/events/event.ts'

/**
 * Holds what was typed, blank where the event has none. Instructions and promo code are the event form's, repeated
 * because the template names them.
 */
export interface Customization {
  readonly customBeaconEmailSubject: string
  readonly customBeaconEmailBody: string
  readonly customQuestions: readonly string[]
  readonly showDefaultQuestions: boolean
  readonly beaconInstructions: string
  readonly promoCode: string
}

type Repeated = Pick<EventFields, 'beaconInstructions' | 'promoCode'>

export const customizationSchema = customizationFields.extend({
  beaconInstructions: eventFields.shape.beaconInstructions,
  promoCode: eventFields.shape.promoCode,
})

/** `fields` may differ from the event: what a refused change wanted. */
export function customizationOf(fields: CustomizationFields, event: Repeated): Customization {
  return {
    customBeaconEmailSubject: fields.customBeaconEmailSubject ?? '',
    customBeaconEmailBody: fields.customBeaconEmailBody ?? '',
    customQuestions: fields.customQuestions,
    showDefaultQuestions: fields.showDefaultQuestions,
    beaconInstructions: event.beaconInstructions ?? '',
    promoCode: event.promoCode ?? '',
  }
}

export function hasSameCustomization(one: CustomizationFields, other: CustomizationFields): boolean {
  const written = ({
    customBeaconEmailSubject,
    customBeaconEmailBody,
    customQuestions,
    showDefaultQuestions,
  }: CustomizationFields) =>
    JSON.stringify([customBeaconEmailSubject, customBeaconEmailBody, customQuestions, showDefaultQuestions])
  return written(one) === written(other)
}

export type CustomizationErrors = Partial<Record<keyof Customization, string>>

export function errorsOf(values: Customization): CustomizationErrors {
  const errors: CustomizationErrors = {}
  for (const { path, message } of customizationSchema.safeParse(values).error?.issues ?? []) {
    errors[path[0] as keyof Customization] ??= message
  }
  return errors
}

/** Returns the trimmed question; null if it is empty or already there (specification, section 5). */
export function questionToAdd(typed: string, existing: readonly string[]): string | null {
  const question = typed.trim()
  const isThere = existing.some((kept) => questionText(kept) === questionText(question))
  return question === '' || isThere ? null : question
}
