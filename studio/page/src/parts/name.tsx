import { Fragment } from "preact";

/** FieldName is the name of a column, which may break behind the signs that part its words. */
export function FieldName({ name }: { name: string }) {
  const words = name.match(/[^_.\-/]*[_.\-/]+|[^_.\-/]+/gu) ?? [];
  return (
    <>
      {words.map((word, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
