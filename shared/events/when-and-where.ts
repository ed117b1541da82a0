import { formatEventDate } from '../time/date-range.ts'
import { placeText, type CalendarEvent } from './calendar.ts'

export type WhenAndWhere = Omit<CalendarEvent, 'id' | 'name' | 'description'>

/** Limits the characters of what an organizer adds to the mail about a change. */
export const maxChangeNote = 300

/** What an edit changed for those who come, in words; undefined where a reader sees no difference, and no mail goes. */
export function changeInWords(before: WhenAndWhere, after: WhenAndWhere): string | undefined {
  const sameDays = before.startDate === after.startDate && before.endDate === after.endDate
  const changed = [
    ...(formatEventDate(before) === formatEventDate(after) ? [] : [sameDays ? 'time' : 'date']),
    ...(placeText(before) === placeText(after) ? [] : ['place']),
  ]
  return changed.length === 0 ? undefined : changed.join(' and ')
}
