/** Where errors of pages wait to be reported. */
export const keptErrors = 'beaconry/errors'
