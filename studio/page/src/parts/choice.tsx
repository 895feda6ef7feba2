/** One of several that are to be chosen from, in a list, with what is known of it. */
export function Choice(props: {
  name: string;
  value: string;
  title: string;
  more: string;
  checked: boolean;
  choose(value: string): void;
}) {
  const { name, value, title, more, checked, choose } = props;
  return (
    <li>
      <label>
        <input
          type="radio"
          name={name}
          value={value}
          checked={checked}
          onChange={() => choose(value)}
        />
        <span>
          {title} <span class="small quiet">{more}</span>
        </span>
      </label>
    </li>
  );
}
